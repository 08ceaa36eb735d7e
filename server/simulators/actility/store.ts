// The state of a simulated ThingPark, and the form of its errors.
import { isObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall } from '../far-call.ts'
import type { FarSide } from '../far-side.ts'

export interface DeviceRecord {
  uid: number
  modelId: string
  activation: string
  appEui: string
  appKey: string
  /** NwkKey of LoRaWAN 1.1. */
  nwkKey?: string
  /** Of a device without a join: its address, its NwkSKey, and its AppSKeys as an XML document. */
  nwAddress?: string
  nwKey?: string
  appKeys?: string
  appServerIds: string[]
  /** The place that its owner entered. */
  adminLat?: number
  adminLon?: number
  version: number
}

export interface BaseStationRecord {
  uid: number
  lrrUuid: string
  lrrId: string
  modelId: string
  serial: string
  adminData: string
  rfRegionId: string | undefined
  version: number
}

export interface AppServer {
  uid: number
  id: string
  name: string
  contentType: string
  headers: { name: string; value: string }[]
  addresses: string[]
  asId: string
  asKey: string
  maxTimestampDeviation: number
  /** If true, ThingPark does not send its messages. */
  isDeactivated: boolean
  version: number
}

export interface ThingPark {
  side: FarSide<DeviceRecord, BaseStationRecord>
  appServers: Map<number, AppServer>
  /** Bearer tokens, and the times at which they expire. */
  tokens: Map<string, number>
  clientId: string
  clientSecret: string
  /** Network subscription licenses that are granted (device manager API 7.3, `granted`). */
  licenses: number | undefined
  nextUid(): number
}

/** The versions and classes of the device profiles, by their IDs. The minor version 10 is 1.1. */
export const deviceModels: Readonly<Record<string, { macMinorVersion: number; type: string }>> = {
  'LORA/GenericA.1.0.3a_ETSI': { macMinorVersion: 5, type: 'A' },
  'LORA/GenericA.1_FCC': { macMinorVersion: 3, type: 'A' },
  'LORA/GenericC.1.0.3a_ETSI': { macMinorVersion: 5, type: 'C' },
  'LORA/GenericC.1.1_ETSI': { macMinorVersion: 10, type: 'C' },
}

export const deviceProfiles = Object.keys(deviceModels)

/** The base station profiles and their software, by their IDs. */
export const baseStationProfiles: Readonly<Record<string, string>> = {
  'GENERIC/BASICS.1': 'BASIC_STATION_LINUX',
  'KERL/IBTS.1': 'LRR_LINUX',
  evolution: 'LRR_LINUX',
}

export const operationsPath = '/thingpark/wireless/rest'

/** The codes are invented, except the documented ones of the tunnel interface. */
export function refuse(status: number, code: number, message: string): FarAnswer {
  return { status, body: { code, message } }
}

export function notFound(what: string): FarAnswer {
  return refuse(404, 40, `${what} not found`)
}

export function bodyOf({ body }: FarCall): Record<string, unknown> {
  return isObject(body) ? body : {}
}

/** Returns a refusal if the `occContext` of a change is missing or has another version. */
export function checkVersion(
  call: FarCall,
  { version }: { version: number },
): FarAnswer | undefined {
  const { occContext } = bodyOf(call)
  const sent = isObject(occContext) ? occContext.version : undefined
  if (sent === undefined) return refuse(400, 20, 'occContext is mandatory')
  return sent === version ? undefined : refuse(409, 21, 'the resource was updated by another user')
}

export function occContextOf({ version }: { version: number }, now: number) {
  return { lastUpdate: now, version, who: 'api' }
}

const pageSize = 50

/** One page of a list. All lists of ThingPark have this form. */
export function toPage(
  items: readonly object[],
  { query }: FarCall,
  members: object = {},
): FarAnswer {
  const index = Number(query.pageIndex ?? 1)
  if (!Number.isInteger(index) || index < 1) return refuse(400, 22, 'invalid pageIndex')
  const briefs = items.slice((index - 1) * pageSize, index * pageSize)
  const more = items.length > index * pageSize
  return { status: 200, body: { briefs, more, count: items.length, ...members } }
}
