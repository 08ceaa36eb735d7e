import type { SendingAccount } from '../../features/accounts/connections/sending-account.ts'
import type { HeardDevice } from '../../features/accounts/provisioning/move-queries.ts'
import {
  isThroughAccount,
  type KnownDevice,
  mayBeNamedBy,
} from '../../features/fleet/inventory/named-device-queries.ts'
import type { Uplink } from '../../networks/network-message.ts'
import type { Reading } from '../../sensors/sensor.ts'
import type { Span } from '../../traces/span.ts'

/** An uplink that is not stored yet, and the account that sent it. */
export interface Arrival {
  account: SendingAccount
  uplink: Uplink
  /** The message as it was sent, for the quarantine. */
  message: Buffer
  /**
   * If the database is away, the message is kept until this time, on the clock of
   * `performance.now()`.
   */
  deadline: number
}

/**
 * An arrival and the device that it names. `device` is undefined when no such device is registered.
 */
export interface NamedArrival {
  arrival: Arrival
  /** The time on our clock: ISO 8601 in UTC with microseconds. */
  arrivedAt: string
  device: KnownDevice | undefined
  /**
   * Set for devices with a type that an organization made. The others are decoded with their batch.
   */
  reading?: Reading | undefined
}

/** An arrival with the callback that answers its sender. */
export interface Waiting extends NamedArrival {
  /** Without an error: it is stored. */
  answer(error?: unknown): void
  /** Of its arrival, where there are traces. */
  span?: Span | undefined
}

/**
 * An account may name the devices that are registered through it, and those that move to it. A sender of network `other`
 * may name all devices of its organization. The look-up of the device has already checked the
 * organization (`lookUpKeyOf`).
 */
export function mayNameDevice({ account }: Arrival, device: KnownDevice): boolean {
  return account.network === 'other' || mayBeNamedBy(account, device)
}

/** Whether a device that moves was heard by its new network. */
function isByNewNetwork({ account }: Arrival, device: KnownDevice): boolean {
  return (
    isThroughAccount(account, device.other_network, device.other_method) &&
    account.isVendor === (device.other_method === 'vendor')
  )
}

/** Of the two networks of a device that moves, the one that brought an uplink. */
export function networkOf(arrival: Arrival, device: KnownDevice): string {
  return isByNewNetwork(arrival, device) ? arrival.account.network : device.network
}

/** `heard` is ISO 8601 in UTC. */
export function heardByNew({
  arrival,
  device,
  heard,
}: {
  arrival: Arrival
  device: KnownDevice
  heard: string
}): HeardDevice[] {
  if (!isByNewNetwork(arrival, device)) return []
  return [{ organizationId: device.organization_id, deviceId: device.id, at: heard }]
}

/** In characters; those of all networks are shorter. */
const longestKey = 2000

/** Whether a row can hold the key. PostgreSQL has no characters for NUL and for halves of surrogate pairs. */
export function isStorable(key: string): boolean {
  return key.length <= longestKey && key.isWellFormed() && !key.includes('\u0000')
}

/** The device of an uplink was changed or deleted since it was looked up. Nothing of the uplink is stored. */
export class Outdated extends Error {}

/** The organization's part of the queue is full: the sender should repeat the message later. */
export class QueueFull extends Error {}
