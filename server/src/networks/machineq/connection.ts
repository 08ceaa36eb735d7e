import { textOf } from '../answer-fields.ts'
import { bindCalls } from '../bind-calls.ts'
import { choicesBy, toChoice } from '../choices.ts'
import { NetworkError } from '../network-error.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { find, listIn, openSession, type Session } from './client.ts'
import { addDevice, listDevices, queueDownlink, removeDevice, renameDevice } from './devices.ts'

export const openConnection = bindCalls(openSession, {
  check: checkAccess,
  listChoices: choicesBy<Session>({
    service_profile: (session) => listProfiles(session, 'ServiceProfiles'),
    device_profile: (session) => listProfiles(session, 'DeviceProfiles'),
    output_profile: (session) => listProfiles(session, 'OutputProfiles'),
  }),
  addDevice,
  renameDevice,
  removeDevice,
  listDevices,
  queueDownlink,
  setCallback,
  readCallback,
  removeCallback,
})

/** Checks the client's credentials and the ids; the error says which account field is wrong. */
async function checkAccess(session: Session): Promise<void> {
  const { serviceProfile, deviceProfile, outputProfile } = session.account
  await checkProfile(session, 'ServiceProfiles', serviceProfile, 'service_profile')
  await checkProfile(session, 'DeviceProfiles', deviceProfile, 'device_profile')
  if (outputProfile && !(await find(session, `/outputprofiles/${outputProfile}`))) {
    throw missing('output profile', outputProfile, 'output_profile')
  }
}

async function* listProfiles(session: Session, name: string) {
  const profiles = await readProfiles(session, name)
  yield profiles.map(({ Id, Name }) => toChoice(textOf(Id), Name))
}

async function readProfiles(session: Session, name: string) {
  return listIn(await session.call({ method: 'GET', path: `/${name.toLowerCase()}` }), name)
}

async function checkProfile(session: Session, name: string, id: string, field: string) {
  const profiles = await readProfiles(session, name)
  if (profiles.some(({ Id }) => Id === id)) return
  throw missing(field.replace('_', ' '), id, field)
}

function missing(thing: string, id: string, field: string): NetworkError {
  return new NetworkError(
    'refused',
    `machineQ has no ${thing} ${id} (${field}) that the account may use.`,
  )
}
