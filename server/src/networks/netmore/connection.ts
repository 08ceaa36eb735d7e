import { textOf } from '../answer-fields.ts'
import { type AccountValues, type NetworkConnection, NetworkError } from '../network.ts'
import type { Outside } from '../outside.ts'
import { openRest, RefusedCall } from '../rest.ts'
import { readAccount } from './account.ts'
import { addDevice, groupPath, listDevices, pathOf, removeDevice, renameDevice } from './devices.ts'

/** Seconds, as others use it (the unit is not documented): a device that sends weekly hears it. */
const validity = 7 * 86_400

/** A connection to one account; everything that the adapter does with Netmore. */
export function openConnection(
  values: AccountValues,
  outside: Outside,
  options: { deadlineMs?: number } = {},
) {
  const account = readAccount(values)
  const api = openRest({
    name: 'Netmore',
    base: `${account.server}/api/v1`,
    headers: () => ({ 'api-key': account.apiKey }),
    outside,
    secrets: [account.apiKey],
    ...options,
  })
  const session = { api, account }
  return {
    check: () => checkAccess(session),
    addDevice: (device) => addDevice(session, device),
    renameDevice: (devEui, name) => renameDevice(session, devEui, name),
    removeDevice: (devEui) => removeDevice(session, devEui),
    listDevices: () => listDevices(session),
    async queueDownlink({ devEui, fPort, payload, confirmed }) {
      const payloadHex = Buffer.from(payload).toString('hex')
      const path = `${pathOf(devEui)}/LoRaWAN/downlink`
      const query = { payloadHex, fPort, confirmed, validity }
      const id = textOf((await api.call({ method: 'POST', path, query })).body)
      if (id) return id
      throw new NetworkError('unreachable', 'Netmore queued the downlink and gave no id of it.')
    },
    async flushDownlinks(devEui) {
      await api.call({ method: 'POST', path: `${pathOf(devEui)}/LoRaWAN/clearDownlink` })
    },
    close: () => api.close(),
  } satisfies NetworkConnection
}

/** Proves the API key, the customer and the device group. */
async function checkAccess({ api, account }: Parameters<typeof listDevices>[0]): Promise<void> {
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
