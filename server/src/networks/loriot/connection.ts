import { bindCalls } from '../bind-calls.ts'
import { NetworkError } from '../network-error.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { isAboutMissing, openSession, readApplication, type Session } from './client.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'
import { flushDownlinks, queueDownlink, readSession } from './downlinks.ts'
import { addGateway, listGateways, removeGateway, updateGateway } from './gateways.ts'

export const openConnection = bindCalls(openSession, {
  check: checkAccess,
  addDevice,
  renameDevice,
  removeDevice,
  listDevices,
  gateways: { add: addGateway, update: updateGateway, remove: removeGateway, list: listGateways },
  queueDownlink,
  flushDownlinks,
  readSession,
  setCallback,
  readCallback,
  removeCallback,
})

/** Checks the API key and the ids; the error says which account field is wrong. */
async function checkAccess(session: Session): Promise<void> {
  await readApplication(session)
  const { networkId } = session.account
  if (!networkId) return
  try {
    await session.client.call({ method: 'GET', path: `/1/nwk/network/${networkId}` })
  } catch (error) {
    if (!isAboutMissing(error)) throw error
    throw new NetworkError(
      'refused',
      `LORIOT has no network ${networkId} (network_id) that the API key may see.`,
    )
  }
}
