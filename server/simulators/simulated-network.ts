import type { Right } from '../src/networks/capabilities.ts'
import type { Callback } from '../src/networks/network.ts'
import type { Clock } from './clock.ts'
import type { RadioKind } from './owner-radio.ts'

export interface SimulatorOptions {
  /** 127.0.0.1 by default. */
  host?: string
  /** Any free port by default. */
  port?: number
  /** The same seed makes the same ids and measurements. */
  seed?: number
  clock?: Clock
  /** How often a failed message is sent again; 0 by default. */
  retries?: number
  /** A broker to which the simulator also publishes messages, if the network has MQTT. */
  brokerUrl?: string
}

/** Outcomes of the messages since the start. Each copy of a duplicate counts. */
export interface DeliveryCounts {
  /** Messages that were answered with a 2xx. */
  delivered: number
  /** Messages with another answer, or without an answer in time. */
  failed: number
  /** Messages that were never sent, because of the faults or because there is no callback. */
  lost: number
}

/** Callbacks are deleted, or their secrets are changed. */
export type CallbackFault = 'delete' | 'change'

/** A simulated network: a server with the network's API, and devices that send and answer. */
export interface SimulatedNetwork {
  /** The key of the network. */
  network: string
  /** The fields of PUT /network-accounts/{network}. */
  account: Record<string, string>
  /** Fields that the network refuses when they replace the right ones. */
  wrongAccount: Record<string, string>
  /** Sets the callback as the account's owner does by hand; undefined removes it. */
  setCallback(callback: Callback | undefined): void
  /** Damages all callbacks that were set through the API, as their owner can do by hand. */
  spoilCallbacks(how: CallbackFault): void
  /** The EUI has 16 digits. */
  findDevice(devEui: string): SimulatedThing | undefined
  findGateway(gatewayEui: string): SimulatedThing | undefined
  deviceEuis(): string[]
  /** Adds a device as its owner does in the network's own console. */
  addDevice(devEui: string, name: string, kind?: RadioKind): void
  /** The kinds of `addDevice`, as far as this network can have them. */
  kinds: readonly RadioKind[]
  /** Changes a key at the network; absent if the network's API does not return keys. */
  changeKey?(devEui: string, key: string): void
  /**
   * Sends one uplink, and handles the downlinks and answers that follow from it. Without a payload,
   * sends the next frame of the sensor.
   */
  sendUplink(devEui: string, hexadecimal?: string): Promise<void>
  /**
   * Makes every device send, at this interval on average. This includes devices that are added
   * later.
   */
  startTraffic(everyMs: number): void
  stopTraffic(): void
  /** While it is away, the network answers no calls and sends no messages. */
  setAway(isAway: boolean): void
  /** Refuses every call that changes something, in the network's form and with this message. */
  refuse(words: string | undefined): void
  /**
   * Removes these rights from the account's key, user or token, and restores all others. The
   * network refuses calls that need a removed right, in its own form. Absent if the network has no
   * such rights.
   */
  deny?(rights: readonly Right[]): void
  /** The rights that can be removed. Each has a pattern of the refusal that names it. */
  rights: Partial<Record<Right, RegExp>>
  /** Accepts this many calls a minute; undefined for no limit. */
  throttle(callsPerMinute: number | undefined): void
  /** Makes every call about this device or gateway, and no other, end in an internal error. */
  fail(eui: string, isFailing: boolean): void
  /**
   * Adds a confirmed downlink of another program at the end of a device's queue. Absent if the
   * network keeps no queue.
   */
  addForeignDownlink?(devEui: string, hexadecimal: string): void
  /** Empties the queue, as the owner does by hand. Absent if the network keeps no queue. */
  emptyQueue?(devEui: string): void
  /** Delays the network's reports of downlinks that were sent to a gateway. */
  delayReports(milliseconds: number): void
  /** Limits the number of devices of the account. Absent if the network has no limit. */
  setRoom?(devices: number | undefined): void
  /** The longest names that the network accepts. Absent if its documents name no limit. */
  longestName: { device?: number; gateway?: number }
  counts: DeliveryCounts
  /**
   * Resolves when all work in progress is done, for example when the messages about joins are sent.
   */
  settle(): Promise<void>
  close(): Promise<void>
}

interface SimulatedThing {
  name: string
  /** All data that the network stores about it, as JSON. */
  facts: string
  /** Hexadecimal payloads of the queued downlinks; empty for a gateway. */
  queue: readonly string[]
  /**
   * The same downlinks with all data that the network stores about each, except its id, as JSON.
   */
  items: readonly string[]
}

export type StartSimulator = (options?: SimulatorOptions) => Promise<SimulatedNetwork>
