// Output profiles, which say where the uplinks of their devices are sent: /outputprofiles (OlegZv/
// machineq, core/output_profile). A REST destination sends one header, TokenType being its name.
import { hash } from 'node:crypto'
import { type Callback, NetworkError } from '../network.ts'
import { find, isMissing, listIn, type Session } from './client.ts'

type Profile = Record<string, unknown>

/** A profile of our own is called so, with digits that stand for the address of the callback. */
const ownName = /^Callback [0-9a-f]{8}$/

/**
 * Adds the callback to the output profile that the account names, beside its other destinations;
 * to one of our own where it names none.
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
  const { header, value } = callback
  const isThere = ours?.TokenType === header && ours.TokenValue === value
  if (isThere && more.length === 0) return
  const others = destinations.filter(({ URL }) => URL !== callback.url)
  await patch(session, profile, [...others, toDestination(callback)])
}

/** Takes the profile away with it where that is our own and leads nowhere else. */
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

/** The id of the profile that devices are registered with. */
export async function findOutputProfile(session: Session): Promise<string> {
  if (session.account.outputProfile) return session.account.outputProfile
  const own = (await listProfiles(session)).filter(({ Name }) => ownName.test(String(Name)))
  const [only, ...others] = own
  if (only && others.length === 0) return String(only.Id)
  throw new NetworkError(
    'refused',
    only
      ? 'machineQ has several output profiles called "Callback": enter the right one (output_profile).'
      : 'machineQ has no output profile that leads here: save the account again, or enter one (output_profile).',
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

/** A list that is sent takes the place of the one that was there; the other kinds stay. */
async function patch(session: Session, profile: Profile, RestParams: object[]) {
  await session.call({ method: 'PATCH', path: pathOf(profile), body: { RestParams } })
}

function toDestination({ url, header, value }: Callback) {
  return { URL: url, TokenType: header, TokenValue: value, OutputFormat: 'extended' }
}

function nameOf({ url }: Callback): string {
  return `Callback ${hash('sha256', url).slice(0, 8)}`
}

function pathOf({ Id }: Profile): string {
  return `/outputprofiles/${encodeURIComponent(String(Id))}`
}
