// The callback as an application server (AS), to which the core network sends the messages of the
// devices that are routed to it. Device manager API 7.3, /subscriptions/mine/appServers.
import { objectOf, objectsOf, textOf } from '../answer-fields.ts'
import type { JsonObject } from '../message-fields.ts'
import type { Callback, CallbackState } from '../network.ts'
import { change, find, list, remove, type Session } from './client.ts'

const base = '/subscriptions/mine/appServers'
/** Downlinks may be this many seconds old: clocks differ. */
const maxTimestampDeviation = 300

/**
 * Enters the callback as an application server with the account's AS ID and key, or updates the one
 * that has this address. Other application servers stay as they are, even with the same AS ID.
 */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const { asId, asKey } = session.account
  session.appServerIds = undefined
  const contentType = 'jsontyped'
  const header = { name: callback.header, value: callback.value }
  const found = await findOwn(session, callback)
  const security = { status: 'DOWNLINK_AS_KEY', asID: asId, downlinkAsKey: asKey }
  const isSigned = asKey !== ''
  if (!found) {
    const body = {
      name: nameOf(callback),
      type: 'HTTP',
      contentType,
      customHttpHeaders: [header],
      destinations: destinationsOf(callback),
      downlinkSecurity: isSigned ? { ...security, maxTimestampDeviation } : { status: 'NONE' },
    }
    await session.call({ method: 'POST', path: base, body })
    return
  }
  const headers = objectsOf(found.detail.customHttpHeaders).filter(
    ({ name }) => textOf(name).toLowerCase() !== callback.header.toLowerCase(),
  )
  const customHttpHeaders = [...headers, header]
  const path = `${base}/${found.uid}`
  await change(
    session,
    { method: 'PUT', path, of: path },
    {
      customHttpHeaders,
      ...(leadsTo(found, callback) ? {} : { destinations: destinationsOf(callback) }),
      ...(isSigned ? { downlinkSecurity: { ...security, ...keepDeviation(found.detail) } } : {}),
      // All other content types can be read.
      ...(found.detail.contentType === 'xml' ? { contentType } : {}),
      ...(found.detail.state === 'DEACTIVATED' ? { state: 'ACTIVE' } : {}),
    },
  )
}

export async function readCallback(session: Session, callback: Callback): Promise<CallbackState> {
  const { asId, asKey } = session.account
  const found = await findOwn(session, callback)
  if (!found || !leadsTo(found, callback)) {
    return { state: 'missing', words: 'ThingPark has no application server with the callback.' }
  }
  const { customHttpHeaders, downlinkSecurity, contentType, state, healthState } = found.detail
  if (state === 'DEACTIVATED') {
    const words = 'The application server of the callback is deactivated at ThingPark.'
    return { state: 'changed', words }
  }
  const isSent = objectsOf(customHttpHeaders).some(
    ({ name, value }) => textOf(name) === callback.header && value === callback.value,
  )
  const isSigned = asKey === '' || textOf(objectOf(downlinkSecurity).asID) === asId
  if (!isSent || !isSigned || contentType === 'xml') {
    const words = 'The application server of the callback was changed at ThingPark.'
    return { state: 'changed', words }
  }
  if (healthState !== 'ERROR') return { state: 'set', words: '' }
  const words = 'ThingPark says that the application server of the callback is unreachable.'
  return { state: 'set', words }
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  session.appServerIds = undefined
  const found = await findOwn(session, callback)
  if (found) await remove(session, `${base}/${found.uid}`)
}

/**
 * The IDs by which devices are routed to the account's application servers: those with its AS ID.
 */
export async function readAppServerIds(session: Session): Promise<string[]> {
  if (session.appServerIds) return session.appServerIds
  const { asId } = session.account
  const ids: string[] = []
  for await (const { detail } of readDetails(session)) {
    const isOurs = textOf(objectOf(detail.downlinkSecurity).asID) === asId
    if (isOurs || detail.ID === asId) ids.push(textOf(detail.ID))
  }
  if (ids.length > 0) session.appServerIds = ids
  return ids
}

/** Keeps the deviation that the owner chose. */
function keepDeviation(detail: JsonObject): { maxTimestampDeviation?: number } {
  const { maxTimestampDeviation: chosen } = objectOf(detail.downlinkSecurity)
  return typeof chosen === 'number' ? { maxTimestampDeviation: chosen } : {}
}

/** The last part of the address is unique to the account. */
function nameOf({ url }: Callback): string {
  return `Device service ${url.split('/').at(-1)?.slice(0, 8)}`
}

/**
 * Finds it by its address, or else by its name: devices are routed to it by an ID, which a new
 * application server would not have.
 */
async function findOwn(session: Session, callback: Callback): Promise<AppServer | undefined> {
  let named: AppServer | undefined
  for await (const found of readDetails(session)) {
    if (leadsTo(found, callback)) return found
    if (found.detail.name === nameOf(callback)) named ??= found
  }
  return named
}

function leadsTo({ detail }: AppServer, { url }: Callback): boolean {
  return objectsOf(detail.destinations).some(
    ({ addresses }) => Array.isArray(addresses) && addresses.includes(url),
  )
}

function destinationsOf({ url }: Callback) {
  return [{ addresses: [url], ports: '*', strategy: 'SEQUENTIAL' }]
}

interface AppServer {
  /** Used in paths; it differs from the `ID` of 7.3. */
  uid: string
  detail: JsonObject
}

/** A list shows neither addresses nor AS IDs. */
async function* readDetails(session: Session): AsyncGenerator<AppServer> {
  for await (const page of list(session, base, { type: 'HTTP' })) {
    for (const { href } of page) {
      const uid = textOf(href).split('/').at(-1) ?? ''
      const detail = /^\d+$/.test(uid) ? await find(session, `${base}/${uid}`) : undefined
      if (detail) yield { uid, detail }
    }
  }
}
