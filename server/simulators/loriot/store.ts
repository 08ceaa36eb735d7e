import type { FarAnswer, FarCall } from '../far-call.ts'
import type { FarSide } from '../far-side.ts'

/** A device in its application at LORIOT. */
export interface DeviceRecord {
  appeui: string
  appkey: string
  devclass: string
  /** NwkKey of LoRaWAN 1.1. */
  nwkkey?: string
  /** Of a device without a join. */
  session?: { devaddr: string; nwkskey: string; appskey: string }
}

export interface GatewayRecord {
  /** LORIOT's own id. It equals the EUI, unless a test sets another one. */
  id: string
  MAC: string
  base: string
  model: string
  bus: string
  concentrator: string
  card: string | number
  location?: unknown
  region?: string
}

export interface Output {
  output: string
  osetup: Record<string, string>
}

export type Side = FarSide<DeviceRecord, GatewayRecord>

/** The state of the simulated LORIOT, except its devices and gateways. */
export interface Store {
  apiKey: string
  /** Hexadecimal. */
  applicationId: string
  networkId: string
  /** Tokens of the application, the oldest first. */
  tokens: string[]
  outputs: Output[]
  /** EUIs in the applications and networks of other users. */
  foreign: Set<string>
  /** How many devices the application can have; undefined for no limit. */
  capacity: number | undefined
}

export const foreignEui = '00AA0000000000FF'

/** A refusal in the form of LORIOT. */
export function refuse(status: number, error: string): FarAnswer {
  return { status, body: { error } }
}

export function ok(body: unknown): FarAnswer {
  return { status: 200, body }
}

/** The members of a JSON object; none if the body is no object. */
export function membersOf({ body }: FarCall): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

/** One page of the items, in a member of this name. */
export function pageOf(items: readonly unknown[], name: string, { query }: FarCall): FarAnswer {
  const [page, perPage] = [Number(query.page ?? 1), Number(query.perPage ?? 10)]
  if (!(page >= 1 && perPage >= 1 && perPage <= 100)) return refuse(400, 'Bad request')
  const shown = items.slice((page - 1) * perPage, page * perPage)
  return ok({ page, perPage, total: items.length, [name]: shown })
}

/** The text of a member; undefined if it is empty or missing. */
export function textOf(members: Record<string, unknown>, name: string): string | undefined {
  const value = members[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
