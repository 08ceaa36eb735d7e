import { textOf } from '../answer-fields.ts'
import { bindCalls } from '../bind-calls.ts'
import type { NetworkDownlink } from '../device-queue.ts'
import { NetworkError } from '../network-error.ts'
import { RefusedCall } from '../rest.ts'
import { openSession, type Session } from './client.ts'
import { addDevice, groupPath, listDevices, pathOf, removeDevice, renameDevice } from './devices.ts'

export const openConnection = bindCalls(openSession, {
  check: checkAccess,
  addDevice,
  renameDevice,
  removeDevice,
  listDevices,
  queueDownlink,
  async flushDownlinks({ api }, devEui) {
    await api.call({ method: 'POST', path: `${pathOf(devEui)}/LoRaWAN/clearDownlink` })
  },
})

/** Checks the API key, the customer and the device group. */
async function checkAccess({ api, account }: Session): Promise<void> {
  try {
    await api.call({ method: 'GET', path: groupPath(account) })
  } catch (error) {
    if (!(error instanceof RefusedCall && error.status === 404)) throw error
    throw new NetworkError(
      'refused',
      `Netmore has no device group ${account.deviceGroupId} (device_group_id) of the customer ${account.customerId} (customer_id).`,
    )
  }
}

/** A device that sends weekly gets it. Other clients use seconds; the unit is not documented. */
const validity = 7 * 86_400

async function queueDownlink(
  { api }: Session,
  { devEui, fPort, payload, confirmed }: NetworkDownlink,
): Promise<string> {
  const payloadHex = Buffer.from(payload).toString('hex')
  const path = `${pathOf(devEui)}/LoRaWAN/downlink`
  const query = { payloadHex, fPort, confirmed, validity }
  const id = textOf((await api.call({ method: 'POST', path, query })).body)
  if (id) return id
  throw new NetworkError('unreachable', 'Netmore queued the downlink and gave no id of it.')
}
