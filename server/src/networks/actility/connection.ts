import { textOf } from '../answer-fields.ts'
import { bindCalls } from '../bind-calls.ts'
import { choicesBy, mapPages, toChoice } from '../choices.ts'
import { NetworkError } from '../network-error.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { list, openSession, type Session } from './client.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'
import { flushDownlinks, queueDownlink } from './downlinks.ts'
import { addGateway, listGateways, readProfile, removeGateway, updateGateway } from './gateways.ts'

export const openConnection = bindCalls(openSession, {
  check: checkAccess,
  listChoices: choicesBy<Session>({
    device_model_id: (session) => listProfiles(session, '/subscriptions/mine/deviceProfiles'),
    base_station_model_id: (session) => listProfiles(session, '/partners/mine/bsProfiles'),
  }),
  addDevice,
  renameDevice,
  removeDevice,
  listDevices,
  gateways: { add: addGateway, update: updateGateway, remove: removeGateway, list: listGateways },
  queueDownlink,
  flushDownlinks,
  setCallback,
  readCallback,
  removeCallback,
})

function listProfiles(session: Session, path: string) {
  return mapPages(list(session, path), ({ ID, commercialName }) =>
    toChoice(textOf(ID), commercialName),
  )
}

/** Checks the service account and the profiles. Only a message can prove the AS key. */
async function checkAccess(session: Session): Promise<void> {
  const { deviceModelId, baseStationModelId } = session.account
  const known = list(session, '/subscriptions/mine/deviceProfiles', { ID: deviceModelId })
  let isKnown = false
  for await (const page of known) isKnown ||= page.some(({ ID }) => ID === deviceModelId)
  if (!isKnown) {
    throw new NetworkError(
      'refused',
      `ThingPark has no device profile with the ID ${deviceModelId} (device_model_id).`,
    )
  }
  if (baseStationModelId !== undefined) await readProfile(session, baseStationModelId)
}
