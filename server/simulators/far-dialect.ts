import type { SensorState } from './sensor-frames.ts'

/** A device in the network; `record` has the data that the API received. */
export interface FarDevice<Record> {
  /** 16 upper-case hexadecimal digits. */
  devEui: string
  name: string
  record: Record
  sensor: SensorState
  /** 8 hexadecimal digits; changes with every join. */
  devAddr: string
  fCntUp: number
  fCntDown: number
  queue: FarDownlink[]
  /** A confirmed downlink that it has received, and acknowledges with its next uplink. */
  owed?: FarDownlink | undefined
}

export interface FarDownlink {
  id: string
  fPort: number
  data: Buffer
  confirmed: boolean
}

export interface FarGateway<Record> {
  /** 16 upper-case hexadecimal digits. */
  eui: string
  name: string
  record: Record
}

/** A frame that a device sends through the network. */
export interface FarUplink<Record> {
  device: FarDevice<Record>
  fPort: number
  fCnt: number
  data: Buffer
  /** Milliseconds since 1970. */
  time: number
  /** The downlink that this uplink acknowledges in LoRaWAN. */
  acknowledges?: FarDownlink
}

/** A message from the network to the account's callback. */
export interface FarMessage {
  /** Is appended to the URL of the callback. */
  path?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body: unknown
  /** The MQTT topic to which the network also publishes the message. */
  topic?: string
}

/** A callback that the network stores. */
export interface FarCallback {
  url: string
  headers: Record<string, string>
  /**
   * Whether the callback receives this message. Without this function, it receives every message.
   */
  takes?(message: FarMessage): boolean
  /** Called after each post; `isTaken` is true if the answer was a 2xx. */
  heard?(isTaken: boolean): void
  /** Makes the body and its content type. Without this function, the body is JSON. */
  encode?(message: FarMessage): { type: string; bytes: Buffer<ArrayBuffer> }
}

/** Makes the messages of one network. A network does not send messages whose function is absent. */
export interface Dialect<Device> {
  joined?(device: FarDevice<Device>, time: number): FarMessage[]
  uplink(uplink: FarUplink<Device>): FarMessage[]
  sent?(device: FarDevice<Device>, downlink: FarDownlink, time: number): FarMessage[]
  /** Called after the receive window of an uplink, and what was sent in it. */
  windowClosed?(device: FarDevice<Device>): void
  /**
   * A downlink stays in the queue until `sent`. Also set if the network's documents do not say when
   * it leaves the queue.
   */
  holdsUntilReport?: true
  /**
   * For a network without a queue: the message that requests a downlink. `readAnswer` reads the
   * downlink from the answer.
   */
  ask?(device: FarDevice<Device>, time: number): FarMessage
  readAnswer?(body: unknown): FarDownlink | undefined
}
