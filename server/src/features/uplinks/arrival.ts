import type { Uplink } from '../../networks/network-message.ts'
import type { Reading } from '../../sensors/sensor.ts'
import type { SendingAccount } from '../connections/sending-account.ts'
import type { KnownDevice } from '../inventory/named-device-queries.ts'

/** An uplink on its way to the database, and who vouched for it. */
export interface Arrival {
  account: SendingAccount
  uplink: Uplink
  /** The message as it was sent, for the quarantine. */
  message: Buffer
  /** Until when it is kept if the database is away, as `performance.now()` tells the time. */
  deadline: number
}

/** An arrival and the device that it names, undefined when nobody registered one. */
export interface NamedArrival {
  arrival: Arrival
  /** By our clock: ISO 8601 in UTC with microseconds. */
  arrivedAt: string
  device: KnownDevice | undefined
  /** Of devices whose type an organization made; the others are decoded with their batch. */
  reading?: Reading
}

/**
 * An account speaks for devices on its network, and a gateway of kind `other` for all of its
 * organization. Whose they are was decided where they were looked for.
 */
export function mayNameDevice({ account }: Arrival, device: KnownDevice): boolean {
  return account.network === 'other' || account.network === device.network
}

/** The organization's part of the queue is full: the sender should repeat the message later. */
export class QueueFull extends Error {}
