import type { FarAnswer, FarCall } from '../far-call.ts'
import type { FarSide } from '../far-side.ts'

/** A device as its application at LORIOT has it. */
export interface DeviceRecord {
  appeui: string
  appkey: string
  devclass: string
}

export interface GatewayRecord {
  /** LORIOT's own, which is the EUI unless a test says otherwise. */
  id: string
  MAC: string
  base: string
  model: string
  bus: string
  concentrator: string
  card: string | number
  region?: string
}

export interface Output {
  output: string
  osetup: Record<string, string>
}

export type Side = FarSide<DeviceRecord, GatewayRecord>

/** The state of the simulated LORIOT, without its devices and gateways. */
export interface Store {
  apiKey: string
  /** Hexadecimal. */
  applicationId: string
  networkId: string
  /** Of the application, in the order in which they were made. */
  tokens: string[]
  outputs: Output[]
  /** EUIs in the applications and networks of other users. */
  foreign: Set<string>
  /** Devices for which the application has room; undefined for any number. */
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

/** The members of a JSON object; none of anything else. */
export function membersOf({ body }: FarCall): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

/** One page of the items, under LORIOT's name for them. */
export function pageOf(items: readonly unknown[], name: string, { query }: FarCall): FarAnswer {
  const [page, perPage] = [Number(query.page ?? 1), Number(query.perPage ?? 10)]
  if (!(page >= 1 && perPage >= 1 && perPage <= 100)) return refuse(400, 'Bad request')
  const shown = items.slice((page - 1) * perPage, page * perPage)
  return ok({ page, perPage, total: items.length, [name]: shown })
}

/** The text of a member; undefined where it is empty or none. */
export function textOf(members: Record<string, unknown>, name: string): string | undefined {
  const value = members[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
