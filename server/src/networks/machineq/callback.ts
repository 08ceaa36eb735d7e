// Output profiles, which say where the uplinks of their devices are sent: /outputprofiles (OlegZv/
// machineq, core/output_profile). A REST destination sends one header, whose name is TokenType.
import { hash } from 'node:crypto'
import type { Callback, CallbackState } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { find, isMissing, listIn, type Session } from './client.ts'

type Profile = Record<string, unknown>

/**
 * Adds the callback to the destinations of the output profile that the account names, or of our own
 * profile if it names none.
 */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const profile = await findTarget(session, callback)
  if (!profile) {
    await session.call({
      method: 'POST',
      path: '/outputprofiles',
      body: { Name: nameOf(callback), RestParams: [toDestination(callback)] },
    })
    return
  }
  const destinations = listIn(profile, 'RestParams')
  const [ours, ...more] = destinations.filter(({ URL }) => URL === callback.url)
  const isThere = Object.entries(toDestination(callback)).every(
    ([name, value]) => ours?.[name] === value,
  )
  if (isThere && more.length === 0) return
  const others = destinations.filter(({ URL }) => URL !== callback.url)
  await patch(session, profile, [...others, toDestination(callback)])
}

export async function readCallback(session: Session, callback: Callback): Promise<CallbackState> {
  const profile = await findTarget(session, callback)
  const ours = profile && listIn(profile, 'RestParams').find(({ URL }) => URL === callback.url)
  if (!ours) {
    const words = 'The output profile at machineQ does not lead to the callback.'
    return { state: 'missing', words }
  }
  // A hidden secret counts as unchanged.
  const { TokenValue = callback.value } = ours
  const wanted = Object.entries(toDestination(callback))
  const isWhole = wanted.every(([name, value]) => ({ ...ours, TokenValue })[name] === value)
  if (isWhole) return { state: 'set', words: '' }
  const words = 'The destination of the callback was changed in the output profile at machineQ.'
  return { state: 'changed', words }
}

/** Also removes the profile if it is our own and has no other destination. */
export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  const profile = await findTarget(session, callback)
  if (!profile) return
  const destinations = listIn(profile, 'RestParams')
  const others = destinations.filter(({ URL }) => URL !== callback.url)
  const isEmpty =
    others.length === 0 && otherKinds.every((kind) => listIn(profile, kind).length === 0)
  if (isEmpty && profile.Name === nameOf(callback)) {
    await session.call({ method: 'DELETE', path: pathOf(profile) }).catch((error) => {
      if (!isMissing(error)) throw error
    })
  } else if (others.length < destinations.length) await patch(session, profile, others)
}

/** The id of the profile with which devices are registered. */
export async function findOutputProfile(session: Session): Promise<string> {
  const { account, callbackUrl } = session
  if (account.outputProfile) return account.outputProfile
  const name = nameOf({ url: callbackUrl })
  const own = (await listProfiles(session)).find(({ Name }) => Name === name)
  if (own) return String(own.Id)
  throw new NetworkError(
    'refused',
    'machineQ has no output profile that leads here: save the account again, or enter one (output_profile).',
  )
}

const otherKinds = ['MqttParams', 'AzureParams', 'AWSParams'] as const

async function findTarget(session: Session, callback: Callback): Promise<Profile | undefined> {
  const { outputProfile } = session.account
  if (!outputProfile) {
    return (await listProfiles(session)).find(({ Name }) => Name === nameOf(callback))
  }
  const profile = await find(session, `/outputprofiles/${outputProfile}`)
  if (profile) return profile as Profile
  throw new NetworkError(
    'refused',
    `machineQ has no output profile ${outputProfile} (output_profile) that the account may use.`,
  )
}

async function listProfiles(session: Session): Promise<Profile[]> {
  return listIn(await session.call({ method: 'GET', path: '/outputprofiles' }), 'OutputProfiles')
}

/** The list that is sent replaces the old one; destinations of other kinds stay. */
async function patch(session: Session, profile: Profile, RestParams: object[]) {
  await session.call({ method: 'PATCH', path: pathOf(profile), body: { RestParams } })
}

function toDestination({ url, header, value }: Callback) {
  return { URL: url, TokenType: header, TokenValue: value, OutputFormat: 'extended' }
}

/** The digits are derived from the address of the callback. */
function nameOf({ url }: Pick<Callback, 'url'>): string {
  return `Callback ${hash('sha256', url).slice(0, 8)}`
}

function pathOf({ Id }: Profile): string {
  return `/outputprofiles/${encodeURIComponent(String(Id))}`
}
