// The state of a simulated Wanesy, and the form of its answers.
import { isObject, type JsonObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall } from '../far-call.ts'
import type { FarSide } from '../far-side.ts'

/** A device or a gateway in the form that the API received. */
export type Dto = JsonObject

export interface DataDown {
  id: string
  devEui: string
  fPort: number
  /** Hexadecimal. */
  payload: string
  confirmed: boolean
  status: 'IN_PROGRESS' | 'OK' | 'KO' | 'CANCELLED'
  timestamp: number
}

export interface Cluster {
  id: number
  name: string
  hexa: boolean
  pushEnabled: boolean
  pushConfigurationId: number | undefined
}

export interface PushConfiguration {
  id: number
  dto: Dto
}

export interface Wanesy {
  side: FarSide<Dto, Dto>
  clusters: Cluster[]
  fleets: { id: number; name: string }[]
  brands: { id: number; name: string; bscUrl: string }[]
  pushConfigurations: Map<number, PushConfiguration>
  dataDowns: Map<string, DataDown>
  /** Bearer tokens, and the times at which they expire. */
  tokens: Map<string, number>
  /** The limit of the customer (CustomerDto); undefined for no limit. */
  maxEndDevices: number | undefined
  login: string
  password: string
  nextId(): number
}

export const base = '/gms/application'

/** Makes an ErrorDto. The codes are invented, because the API documents no codes. */
export function refuse(status: number, code: string, message: string): FarAnswer {
  return { status, body: { component: 'GMS', code, params: [], message, errors: [] } }
}

export function notFound(what: string): FarAnswer {
  return refuse(404, 'RESOURCE_NOT_FOUND', `${what} not found`)
}

/** The `maxLength` of every text in the OpenAPI file. */
export const longestText = 255

/** Returns a refusal if a text is longer than the API accepts. */
export function checkLengths(dto: Dto): FarAnswer | undefined {
  const tooLong = Object.entries(dto).find(
    ([, value]) => typeof value === 'string' && value.length > longestText,
  )
  if (!tooLong) return undefined
  const words = `size must be between 0 and ${longestText}`
  return nest('INVALID_FIELD', 'the request is not valid', `${tooLong[0]}: ${words}`)
}

/** Makes a refusal whose sub errors (`errors`) name the reason. */
export function nest(code: string, message: string, ...reasons: string[]): FarAnswer {
  const errors = reasons.map((reason) => ({ component: 'GMS', code, message: reason }))
  return { status: 400, body: { component: 'GMS', code, params: [], message, errors } }
}

/** Returns a refusal if one of the required fields is missing. */
export function checkRequired(dto: Dto, names: readonly string[]): FarAnswer | undefined {
  const missing = names.find((name) => dto[name] === undefined || dto[name] === null)
  return missing === undefined
    ? undefined
    : refuse(400, 'MISSING_FIELD', `the field ${missing} is mandatory`)
}

export function bodyOf({ body }: FarCall): Dto {
  return isObject(body) ? body : {}
}

/** Makes a PaginatedDto of the items that match the search. */
export function toPage(items: readonly Dto[], { query }: FarCall): FarAnswer {
  const found = items.filter(toFilter(query.search))
  const page = Number(query.page ?? 1)
  const pageSize = Number(query.pageSize ?? 50)
  const list = found.slice((page - 1) * pageSize, page * pageSize)
  const nbPages = Math.max(1, Math.ceil(found.length / pageSize))
  const counts = { count: list.length, totalCount: found.length }
  return { status: 200, body: { ...counts, page, pageSize, nbPages, links: [], list } }
}

/** Reads a search such as `{"operand": "cluster.id", "operation": "EQ", "values": [1]}`. */
function toFilter(search: string | undefined): (item: Dto) => boolean {
  if (search === undefined) return () => true
  const { operand, values } = JSON.parse(search) as { operand: string; values: unknown[] }
  return (item) => {
    const value = operand
      .split('.')
      .reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), item)
    return values.map(String).includes(String(value))
  }
}
