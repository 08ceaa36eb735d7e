import { isObject, type JsonObject } from '../../src/networks/message-fields.ts'
import type { FarDownlink } from '../far-dialect.ts'
import type { FarSide } from '../far-side.ts'

/** A device in the four servers. Each server has its own part, or none. */
export interface StoredDevice {
  applicationId: string
  deviceId: string
  identity?: JsonObject
  join?: JsonObject
  network?: JsonObject
  application?: JsonObject
  session?: StackSession
  /** Downlinks that were not acknowledged, until the application server has queued them again. */
  repeated?: FarDownlink[]
}

/** The session of a device in the application server and the network server. */
export interface StackSession {
  /** The last frame counter that a queued downlink received. */
  lastAFCntDown: number
  /** The frame counter of the last frame that was sent. */
  lastNFCntDown: number
  /** The last frames that were sent, in the form of `mac_state.recent_downlinks`. */
  recentDownlinks: JsonObject[]
}

export type Part = 'join' | 'network' | 'application'

export interface StoredGateway {
  gatewayId: string
  owner: string
  record: JsonObject
  isDeleted: boolean
}

export type StackSide = FarSide<StoredDevice, StoredGateway>

export interface StackStore {
  applicationId: string
  userId: string
  /** The user is a member of it. Both are collaborators of the application, with all rights. */
  organizationId: string
  apiKey: string
  /** The owner of the API key. */
  keyOwner: 'application' | 'user' | 'organization'
  /**
   * Rights of the API key, such as RIGHT_APPLICATION_DEVICES_READ. RIGHT_ALL includes all others.
   */
  rights: string[]
  /** Rights that are removed from the key. */
  denied: string[]
  /**
   * The application's server address. If it is set, devices that name another address are refused.
   */
  serverAddress: string | undefined
  isAdmin: boolean
  /** How many items a device's queue can hold (pkg/networkserver/config.go). */
  queueCapacity: number
  /** By application and id. Devices of other applications are included. */
  devices: Map<string, StoredDevice>
  /** By id. Deleted gateways are included. */
  gateways: Map<string, StoredGateway>
  /** Devices receive confirmed downlinks and do not acknowledge them. */
  areSilent: boolean
  webhooks: Map<string, JsonObject>
  /** `default_formatters` of the application's link, for devices without their own. */
  defaultFormatters: JsonObject | undefined
  /**
   * After this many failures in a row a webhook is paused, and for this long:
   * `--as.webhooks.unhealthy-attempts-threshold` and `--as.webhooks.unhealthy-retry-interval`.
   */
  pausing: { failures: number; retryMs: number }
}

export function createStore(apiKey: string): StackStore {
  return {
    applicationId: 'fleet-app',
    userId: 'fleet-owner',
    organizationId: 'fleet-team',
    apiKey,
    keyOwner: 'user',
    rights: ['RIGHT_ALL'],
    denied: [],
    serverAddress: undefined,
    isAdmin: false,
    queueCapacity: 10_000,
    areSilent: false,
    devices: new Map(),
    gateways: new Map(),
    webhooks: new Map(),
    defaultFormatters: undefined,
    pausing: { failures: 3, retryMs: 60_000 },
  }
}

export function keyOf(applicationId: string, deviceId: string): string {
  return `${applicationId}/${deviceId}`
}

/** Whether the device joins (OTAA), or has a session from the beginning (ABP). */
export function isJoining({ network }: StoredDevice): boolean {
  return network?.supports_join === true
}

/**
 * Puts a device on the air as soon as all four servers have it; the join server need not have one
 * without a join.
 */
export function goOnAir(store: StackStore, side: StackSide, device: StoredDevice): void {
  const { identity, join, network, application } = device
  if (!identity || !network || !application) return
  if (isJoining(device) && !join) return
  if (device.applicationId !== store.applicationId) return
  const devEui = euiOf(identity, 'dev_eui')
  if (side.devices.get(devEui)?.record === device) return
  side.putDevice(devEui, textOf(identity.name), device)
}

export function idsOf(thing: JsonObject | undefined): JsonObject {
  return isObject(thing?.ids) ? thing.ids : {}
}

export function euiOf(thing: JsonObject | undefined, member: string): string {
  return textOf(idsOf(thing)[member]).toUpperCase()
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the object in a member of a body; empty if the member is no object. */
export function objectIn(body: unknown, member: string): JsonObject {
  const value = isObject(body) ? body[member] : undefined
  return isObject(value) ? value : {}
}

/** Returns the paths in the field mask of a body. */
export function pathsIn(body: unknown): string[] {
  const { paths } = objectIn(body, 'field_mask')
  return Array.isArray(paths) ? paths.map(String) : []
}

/** Copies the members that the paths name. A member that was not sent is removed. */
export function applyMask(record: JsonObject, sent: JsonObject, paths: readonly string[]): void {
  for (const path of paths) {
    const names = path.split('.')
    if (names[0] !== 'ids') copyPath(record, sent, names)
  }
}

function copyPath(record: JsonObject, sent: JsonObject, [name = '', ...deeper]: string[]): void {
  if (sent[name] === undefined && (deeper.length === 0 || record[name] === undefined)) {
    delete record[name]
  } else if (deeper.length === 0) {
    record[name] = sent[name]
  } else {
    const inner = { ...objectIn(record, name) }
    copyPath(inner, objectIn(sent, name), deeper)
    record[name] = inner
  }
}

/** Checks an id by api/ttn/lorawan/v3/identifiers.proto. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9](-?[a-z0-9]){2,}$/.test(text) && text.length <= 36
}
