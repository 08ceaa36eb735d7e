import type { SensorState } from './sensor-frames.ts'

/** A device as the network knows it; `record` is what its API was told. */
export interface FarDevice<Record> {
  /** 16 upper-case digits. */
  devEui: string
  name: string
  record: Record
  sensor: SensorState
  /** 8 digits; changes with every join. */
  devAddr: string
  fCntUp: number
  fCntDown: number
  queue: FarDownlink[]
}

export interface FarDownlink {
  id: string
  fPort: number
  data: Buffer
  confirmed: boolean
}

export interface FarGateway<Record> {
  /** 16 upper-case digits. */
  eui: string
  name: string
  record: Record
}

/** A frame on its way from a device through the network. */
export interface FarUplink<Record> {
  device: FarDevice<Record>
  fPort: number
  fCnt: number
  data: Buffer
  /** Milliseconds since 1970. */
  time: number
  /** Of the downlink that this uplink acknowledges on the LoRaWAN level. */
  acknowledges?: FarDownlink
}

/** A message of the network to the account's callback. */
export interface FarMessage {
  /** After the callback's own address. */
  path?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body: unknown
  /** Where the network publishes it as well. */
  topic?: string
}

/** A callback as the network keeps it. */
export interface FarCallback {
  url: string
  headers: Record<string, string>
  /** Whether this message goes there; left out, every one does. */
  takes?(message: FarMessage): boolean
  /** Called after each post, with whether it was answered with a 2xx. */
  heard?(isTaken: boolean): void
  /** Makes the body that is posted in place of JSON. */
  encode?(message: FarMessage): { type: string; bytes: Buffer<ArrayBuffer> }
}

/** The messages of one network. A network sends none of those that are left out. */
export interface Dialect<Device> {
  joined?(device: FarDevice<Device>, time: number): FarMessage[]
  uplink(uplink: FarUplink<Device>): FarMessage[]
  sent?(device: FarDevice<Device>, downlink: FarDownlink, time: number): FarMessage[]
  /** A downlink stays in the queue until `sent`, or the documents leave this open. */
  holdsUntilReport?: true
  /**
   * For a network without a queue: the message by which it asks for a downlink, and the downlink
   * in the answer.
   */
  ask?(device: FarDevice<Device>, time: number): FarMessage
  readAnswer?(body: unknown): FarDownlink | undefined
}
