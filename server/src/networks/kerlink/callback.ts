// Push configurations, PushConfigurationDto of the GMS REST API 3.2.6: a cluster sends its messages
// by one of them.
import { FormData } from 'undici'
import { objectsOf, textOf } from '../answer-fields.ts'
import type { JsonObject } from '../message-fields.ts'
import type { Callback, CallbackState } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { createdId, find, linkedId, list, remove, type Session } from './client.ts'

const base = '/pushConfigurations'

/**
 * Enters the callback as a push configuration, or updates the one that has this address, and makes
 * the account's cluster use it, in hexadecimal. A cluster that pushes to another address stays as
 * it is.
 */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const cluster = await readCluster(session)
  const found = await findConfiguration(session, callback)
  const inUse = linkedId(cluster, 'pushConfiguration')
  const isFree = inUse === undefined || cluster.pushEnabled === false
  if (!isFree && inUse !== Number(found?.id)) {
    throw new NetworkError(
      'refused',
      `The cluster ${session.account.clusterId} of Wanesy pushes to somebody else already (push configuration ${inUse}).`,
    )
  }
  const id = found
    ? await mendConfiguration(session, found, callback)
    : await createConfiguration(session, callback)
  await session.call({
    method: 'PATCH',
    path: pathOfCluster(session),
    body: { pushConfiguration: { id }, pushEnabled: true, hexa: true },
  })
}

export async function readCallback(session: Session, callback: Callback): Promise<CallbackState> {
  const { clusterId } = session.account
  const found = await findConfiguration(session, callback)
  if (!found) {
    const words = 'Wanesy has no push configuration that leads to the callback.'
    return { state: 'missing', words }
  }
  const cluster = await readCluster(session)
  const isUsed = linkedId(cluster, 'pushConfiguration') === Number(found.id)
  if (!isUsed || cluster.pushEnabled === false) {
    const words = `The cluster ${clusterId} of Wanesy does not push to the callback.`
    return { state: 'missing', words }
  }
  const settings = Object.entries(settingsOf(callback)).filter(([name]) => name !== 'url')
  const isWhole = settings.every(([name, value]) => found[name] === value)
  const header = objectsOf(found.headers).find(({ key }) => textOf(key) === callback.header)
  // A hidden secret counts as unchanged.
  const isSent = header && (header.value ?? callback.value) === callback.value
  if (isWhole && isSent) return { state: 'set', words: '' }
  const words = 'The push configuration of the callback was changed at Wanesy.'
  return { state: 'changed', words }
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  const found = await findConfiguration(session, callback)
  if (!found) return
  const cluster = await find(session, pathOfCluster(session))
  if (cluster && linkedId(cluster, 'pushConfiguration') === Number(found.id)) {
    const body = { pushEnabled: false }
    await session.call({ method: 'PATCH', path: pathOfCluster(session), body })
  }
  await remove(session, `${base}/${textOf(found.id)}`)
}

/** The account's cluster. Throws if the user has none of that id. */
export async function readCluster(session: Session): Promise<JsonObject> {
  const cluster = await find(session, pathOfCluster(session))
  if (cluster) return cluster
  const { clusterId } = session.account
  throw new NetworkError(
    'refused',
    `Wanesy has no cluster ${clusterId} (cluster_id) that the user may see.`,
  )
}

async function createConfiguration(session: Session, callback: Callback): Promise<number> {
  const answer = await session.call({
    method: 'POST',
    path: base,
    body: toForm({
      name: nameOf(callback),
      ...settingsOf(callback),
      headers: [headerOf(callback)],
    }),
  })
  return Number(createdId(answer, 'the push configuration'))
}

/** Keeps the owner's other headers. */
async function mendConfiguration(
  session: Session,
  found: JsonObject,
  callback: Callback,
): Promise<number> {
  const others = objectsOf(found.headers).filter(
    ({ key }) => textOf(key).toLowerCase() !== callback.header.toLowerCase(),
  )
  const headers = [...others.map(({ key, value }) => ({ key, value })), headerOf(callback)]
  await session.call({
    method: 'POST',
    path: `${base}/${textOf(found.id)}`,
    body: toForm({ name: found.name, ...settingsOf(callback), headers }),
  })
  return Number(found.id)
}

async function findConfiguration(
  session: Session,
  { url }: Callback,
): Promise<JsonObject | undefined> {
  for await (const page of list(session, base)) {
    const found = page.find((item) => textOf(item.url).replace(/\/$/, '') === url)
    if (found) return found
  }
  return undefined
}

/** Of the three levels of detail only NETWORK names the gateways. */
function settingsOf({ url }: Callback) {
  return {
    type: 'HTTP',
    msgDetailLevel: 'NETWORK',
    url,
    httpDataUpRoute: '/dataUp',
    httpDataDownEventRoute: '/dataDownEvent',
  }
}

function headerOf({ header, value }: Callback) {
  return { key: header, value }
}

/** Names are unique for a customer; the last part of the address is unique to the account. */
function nameOf({ url }: Callback): string {
  return `Device service ${url.split('/').at(-1)?.slice(0, 8)}`
}

/** `dto` is the one required part; the others are certificates. */
function toForm(dto: object): FormData {
  const form = new FormData()
  form.append('dto', JSON.stringify(dto))
  return form
}

function pathOfCluster({ account }: Session): string {
  return `/clusters/${account.clusterId}`
}
