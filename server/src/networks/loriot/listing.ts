// What an account has at LORIOT, in pages of the most that it gives (perPage).
import { isEui, normalizeEui } from '../../lora/eui.ts'
import { textOf } from '../answer-fields.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import { type ListedThing, NetworkError } from '../network.ts'
import { applicationPath, type Session } from './client.ts'
import { readNetworkId } from './gateway-network.ts'

const pageSize = 100
/** No account has more: a server that never stops giving pages is not believed. */
const mostPages = 10_000

export async function* listDevices(session: Session): AsyncGenerator<ListedThing[]> {
  const pages = listPages(session, applicationPath(session, 'devices'), 'devices')
  for await (const page of pages) {
    yield page.flatMap((item) => {
      const joinEui = normalizeEui(textOf(item.appeui))
      const things = toListed(item, [item._id])
      return things.map((thing) => (isEui(joinEui) ? { ...thing, joinEui } : thing))
    })
  }
}

export async function* listGateways(session: Session): AsyncGenerator<ListedThing[]> {
  for await (const page of listGatewayRecords(session)) {
    yield page.flatMap((item) => toListed(item, [item.EUI, item._id]))
  }
}

/** Every gateway of the account's network as LORIOT describes it. */
export async function* listGatewayRecords(session: Session): AsyncGenerator<JsonObject[]> {
  const networkId = await readNetworkId(session)
  yield* listPages(session, `/1/nwk/network/${networkId}/gateways`, 'gateways')
}

/** The items of each page, by the name, or one of the names, under which LORIOT lists them. */
export async function* listPages(
  { client }: Session,
  path: string,
  ...names: string[]
): AsyncGenerator<JsonObject[]> {
  let seen = 0
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { page, perPage: pageSize }
    const { body } = await client.call({ method: 'GET', path, query })
    const listed = isObject(body) ? names.map((name) => body[name]).find(Array.isArray) : body
    const items = Array.isArray(listed) ? listed.filter(isObject) : []
    yield items
    seen += items.length
    const total = isObject(body) && typeof body.total === 'number' ? body.total : seen
    if (items.length === 0 || seen >= total) return
  }
  throw new NetworkError('unreachable', 'LORIOT does not stop giving pages.')
}

function toListed(item: JsonObject, ids: unknown[]): ListedThing[] {
  const [eui] = ids.flatMap((id) => (typeof id === 'string' ? normalizeEui(id) : []))
  if (eui === undefined || !isEui(eui)) return []
  return [{ eui, name: typeof item.title === 'string' ? item.title : eui }]
}
