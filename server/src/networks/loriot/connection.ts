import { bindCalls } from '../bind-calls.ts'
import { choicesBy, mapPages, toChoice } from '../choices.ts'
import type { JsonObject } from '../message-fields.ts'
import { NetworkError } from '../network-error.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { isAboutMissing, listPages, openSession, readApplication, type Session } from './client.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'
import { flushDownlinks, queueDownlink, readSession } from './downlinks.ts'
import { addGateway, listGateways, removeGateway, updateGateway } from './gateways.ts'

export const openConnection = bindCalls(openSession, {
  check: checkAccess,
  listChoices: choicesBy<Session>({
    application_id: (session) => mapPages(listPages(session, '/1/nwk/apps', 'apps'), toNamed(8)),
    network_id: (session) =>
      mapPages(listPages(session, '/1/nwk/networks', 'networks'), toNamed(0)),
  }),
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

/** An application or network by its number, which LORIOT's own pages show in hexadecimal. */
function toNamed(digits: number) {
  return ({ _id: id, name }: JsonObject) => {
    const value = typeof id === 'number' ? id.toString(16).toUpperCase().padStart(digits, '0') : ''
    return toChoice(value, name)
  }
}

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
