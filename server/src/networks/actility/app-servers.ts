// Application servers (AS): where the core network sends the messages of the devices that are
// routed to them. Device manager API 7.3, /subscriptions/mine/appServers.
import { objectOf, objectsOf, textOf } from '../answer-fields.ts'
import type { JsonObject } from '../message-fields.ts'
import type { Callback } from '../network.ts'
import { change, find, list, remove, type Session } from './client.ts'

const base = '/subscriptions/mine/appServers'
/** Downlinks may be this many seconds old: clocks differ. */
const maxTimestampDeviation = 300

/**
 * Enters the callback as an application server with the account's AS ID and key, or mends the one
 * that has this address already. All others, of the same AS ID too, are left as they are.
 */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const { asId, asKey } = session.account
  session.appServerIds = undefined
  const contentType = 'jsontyped'
  const header = { name: callback.header, value: callback.value }
  const found = await findByAddress(session, callback.url)
  const security = { status: 'DOWNLINK_AS_KEY', asID: asId, downlinkAsKey: asKey }
  if (!found) {
    const body = {
      name: nameOf(callback),
      type: 'HTTP',
      contentType,
      customHttpHeaders: [header],
      destinations: [{ addresses: [callback.url], ports: '*', strategy: 'SEQUENTIAL' }],
      downlinkSecurity: { ...security, maxTimestampDeviation },
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
      downlinkSecurity: { ...security, ...keepDeviation(found.detail) },
      // The other content types can be read here.
      ...(found.detail.contentType === 'xml' ? { contentType } : {}),
    },
  )
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  session.appServerIds = undefined
  const found = await findByAddress(session, callback.url)
  if (found) await remove(session, `${base}/${found.uid}`)
}

/** The IDs by which devices are routed to the account's application servers: those with its AS ID. */
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

/** The deviation that its owner chose. */
function keepDeviation(detail: JsonObject): { maxTimestampDeviation?: number } {
  const { maxTimestampDeviation: chosen } = objectOf(detail.downlinkSecurity)
  return typeof chosen === 'number' ? { maxTimestampDeviation: chosen } : {}
}

/** Told apart by the last part of the address, which is the account's own. */
function nameOf({ url }: Callback): string {
  return `Device service ${url.split('/').at(-1)?.slice(0, 8)}`
}

async function findByAddress(session: Session, url: string): Promise<AppServer | undefined> {
  for await (const found of readDetails(session)) {
    const addresses = objectsOf(found.detail.destinations).flatMap(({ addresses }) => addresses)
    if (addresses.includes(url)) return found
  }
  return undefined
}

interface AppServer {
  /** In a path; the ID of 7.3 is another one. */
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
