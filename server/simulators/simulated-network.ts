import type { Right } from '../src/networks/capabilities.ts'
import type { Callback } from '../src/networks/network.ts'
import type { Clock } from './clock.ts'

export interface SimulatorOptions {
  /** 127.0.0.1 by default. */
  host?: string
  /** Any free one by default. */
  port?: number
  /** The same seed makes the same ids and measurements. */
  seed?: number
  clock?: Clock
  /** How often a message that failed is sent again; never by default. */
  retries?: number
  /** A broker to which messages are published as well, where the network has MQTT. */
  brokerUrl?: string
}

/** Outcomes of the messages so far; each copy of a duplicate counts. */
export interface DeliveryCounts {
  /** Answered with a 2xx. */
  delivered: number
  /** Answered otherwise, or not in time. */
  failed: number
  /** Never sent, by the faults or for want of a callback. */
  lost: number
}

/** Callbacks are deleted, or their secrets are changed. */
export type CallbackFault = 'delete' | 'change'

/** The far side of a network: a server that speaks its API, with devices that send and answer. */
export interface SimulatedNetwork {
  /** Key of the network. */
  network: string
  /** The fields of PUT /network-accounts/{network}. */
  account: Record<string, string>
  /** Fields which, put in place of the right ones, the network does not accept. */
  wrongAccount: Record<string, string>
  /** As the account's owner enters it by hand; undefined takes it away. */
  setCallback(callback: Callback | undefined): void
  /** Damages all callbacks that were entered through the API, as their owner may by hand. */
  spoilCallbacks(how: CallbackFault): void
  /** By EUI of 16 upper-case digits. */
  findDevice(devEui: string): SimulatedThing | undefined
  findGateway(gatewayEui: string): SimulatedThing | undefined
  deviceEuis(): string[]
  /** Adds a device as its owner does in the network's own console. */
  addDevice(devEui: string, name: string): void
  /** Changes a key there; absent where the network's API tells no keys. */
  changeKey?(devEui: string, key: string): void
  /** One uplink with all that follows from it; the next frame of the sensor unless one is given. */
  sendUplink(devEui: string, hexadecimal?: string): Promise<void>
  /** Lets every device, those to come included, send about so often. */
  startTraffic(everyMs: number): void
  stopTraffic(): void
  /** While away it answers nothing and sends nothing. */
  setAway(isAway: boolean): void
  /** Refuses every call that changes something, in the network's form and these words. */
  refuse(words: string | undefined): void
  /**
   * Takes these rights away from the account's key, user or token, and gives back the others: what
   * needs them is refused in the network's form. Absent where the network has no such rights.
   */
  deny?(rights: readonly Right[]): void
  /** The rights that can be missing, each with words of the refusal that names it. */
  rights: Partial<Record<Right, RegExp>>
  /** Lets so many calls through in a minute, or all. */
  throttle(callsPerMinute: number | undefined): void
  /** Lets every call about this device or gateway, and no other, end in an internal error. */
  fail(eui: string, isFailing: boolean): void
  /**
   * Puts a downlink of another program, confirmed, at the end of a device's queue; absent where the
   * network keeps no queue.
   */
  addForeignDownlink?(devEui: string, hexadecimal: string): void
  /** Empties the queue by hand; absent where the network keeps no queue. */
  emptyQueue?(devEui: string): void
  /** Delays the network's reports of downlinks after they went to a gateway. */
  delayReports(milliseconds: number): void
  /** Limits the number of devices of the account; absent where the network has no limit. */
  setRoom?(devices: number | undefined): void
  /** The longest names that the network takes; absent where its documents name none. */
  longestName: { device?: number; gateway?: number }
  counts: DeliveryCounts
  /** Resolves when everything under way, joins for example, has been sent. */
  settle(): Promise<void>
  close(): Promise<void>
}

interface SimulatedThing {
  name: string
  /** All that the network keeps of it, as JSON. */
  facts: string
  /** Hexadecimal payloads of the downlinks that wait; none of a gateway. */
  queue: readonly string[]
  /** The same downlinks with all that the network keeps of each but its id, as JSON. */
  items: readonly string[]
}

export type StartSimulator = (options?: SimulatorOptions) => Promise<SimulatedNetwork>
