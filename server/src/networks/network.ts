import type { Region } from '../lora/regions.ts'
import type { NetworkForms } from './forms.ts'

/** One field of an account at a network, as PUT /network-accounts/{network} takes it. */
export interface AccountField {
  name: string
  label: string
  required: boolean
  /** Write-only: sealed at rest, never in an answer. */
  secret: boolean
}

/** The account's fields by name, secrets opened. */
export type AccountValues = Record<string, string>

/** A device as it is provisioned at a network. EUIs and key are hexadecimal. */
export interface NetworkDevice {
  devEui: string
  joinEui: string
  /** AppKey of LoRaWAN 1.0.x, 32 digits. */
  appKey: string
  name: string
  region?: Region
  /** One of the network's own, by its id. */
  frequencyPlan?: string
}

export interface NetworkGateway {
  gatewayEui: string
  name: string
  description?: string
  region?: Region
  /** What the network's form asks for beyond that, by the names of POST /gateways. */
  settings?: Record<string, string>
}

export interface NetworkDownlink {
  devEui: string
  /** 1 to 223. */
  fPort: number
  payload: Uint8Array
  confirmed: boolean
}

/** A downlink that waits in the network's queue of a device. */
export interface QueuedDownlink {
  /** The network's own id of the queue item. */
  id: string
  fPort: number
  payload: Uint8Array
  confirmed: boolean
  /** Already handed to a gateway, waiting for its acknowledgement. */
  isPending: boolean
}

/**
 * An open connection to one account. Every call has a deadline and throws `NetworkError`, and
 * nothing else, when it fails. All but `queueDownlink` may be repeated without harm.
 */
export interface NetworkConnection {
  /** Proves that the account's credentials and ids are right. */
  check(): Promise<void>
  /** Adopts a device that exists already in the account's own application. */
  addDevice(device: NetworkDevice): Promise<void>
  renameDevice(devEui: string, name: string): Promise<void>
  /** Removing what is not there succeeds. */
  removeDevice(devEui: string): Promise<void>
  gateways?: {
    add(gateway: NetworkGateway): Promise<void>
    update(gateway: NetworkGateway): Promise<void>
    remove(gatewayEui: string): Promise<void>
  }
  /** Returns the network's id of the queue item, by which its events name it. */
  queueDownlink(downlink: NetworkDownlink): Promise<string>
  listDownlinks?(devEui: string): Promise<QueuedDownlink[]>
  flushDownlinks?(devEui: string): Promise<void>
  /**
   * How many downlink frames the device was sent since it joined: while that stays the same, none
   * has left the queue for the device. 0 before the device has joined.
   */
  countDownlinkFrames?(devEui: string): Promise<number>
  close(): void
}

/** A gateway that heard a frame. */
export interface Reception {
  gatewayEui: string
  /** dBm. */
  rssi?: number
  /** dB. */
  snr?: number
  /** Degrees, WGS 84. */
  latitude?: number
  longitude?: number
}

/** The facts about an uplink that every network reports in some form. */
export interface Uplink {
  kind: 'uplink'
  devEui: string
  /** What makes two messages the same uplink, unique within the account. */
  deduplicationKey: string
  /** Network's receive time, ISO 8601 in UTC with microseconds and `Z`. */
  receivedAt: string
  fPort: number
  fCnt: number
  payload: Uint8Array
  /** Best SNR first. */
  receptions: Reception[]
  /** For example `SF11BW125`. */
  dataRate?: string
  /** Hz. */
  frequency?: number
}

/** What a network reports about a device apart from its uplinks. */
export interface DeviceEvent {
  kind: 'join' | 'status' | 'log'
  devEui: string
  deduplicationKey: string
  occurredAt: string
  /** What is worth keeping, already free of secrets. */
  details: Record<string, unknown>
}

/** What became of a downlink, by the network's id of its queue item. */
export interface DownlinkEvent {
  kind: 'downlink'
  state: 'sent' | 'acknowledged' | 'not_acknowledged' | 'failed'
  devEui: string
  /** Absent where the network names none: match by device and order. */
  queueItemId?: string
  /** The gateway that transmitted it, where it was sent and the network says so. */
  gatewayEui?: string
  deduplicationKey: string
  occurredAt: string
  reason?: string
  details: Record<string, unknown>
}

/** A message that is the network's own but holds nothing to keep (a frame on port 0, say). */
export interface Nothing {
  kind: 'nothing'
}

export type NetworkMessage = Uplink | DeviceEvent | DownlinkEvent | Nothing

/** What a callback received: the parsed JSON body and the query of its address. */
export interface CallbackRequest {
  query: Record<string, string | undefined>
  body: unknown
}

/** Messages that come by subscription; it reconnects by itself until it is closed. */
export interface Subscription {
  /** Ends it after the messages under way are stored. */
  close(): Promise<void>
}

/** Where a subscription hands over what it receives. */
export interface MessageSink {
  /**
   * Stores one message, given as read and as sent, which is acknowledged after it. Called for up to
   * 64 messages at a time; while it rejects, the same message comes again, with back-off.
   */
  store(message: NetworkMessage, sent: Buffer): Promise<void>
  /** Something the account's owner should know: broker out of reach, or a message not read. */
  reportProblem(problem: string): void
}

/** How one network is spoken to. A missing ability is a missing property. */
export interface NetworkAdapter {
  accountFields: readonly AccountField[]
  /** Tells what is wrong with the values beyond a missing field, by field name. */
  checkAccount(values: AccountValues): Record<string, string>
  /** Whether it tells when a downlink was sent; without it the device's next uplink tells. */
  reportsSentDownlinks?: true
  /** Opens nothing by itself: the first call does. */
  connect(values: AccountValues): NetworkConnection
  /** Pure. Throws `NotOurMessage` for anything that is not a message of this network. */
  readMessage(request: CallbackRequest): NetworkMessage
  /**
   * Messages by subscription (MQTT); undefined where the account's values name no broker. One
   * process at a time may hold the subscription of an account: a second one takes it over.
   */
  subscribe?(values: AccountValues, accountId: string, sink: MessageSink): Subscription | undefined
}

/** One of the networks of the API: what the lookups show, and its adapter where there is one. */
export interface Network {
  key: string
  /** The spec's neutral name, accepted wherever a key is a parameter. */
  alias: string
  /** `network` of POST /devices; absent for keys that are for gateways only. */
  id?: number
  name: string
  isLora: boolean
  /** What registering a device or a gateway asks for. */
  forms: NetworkForms
  /** The key under which this network's LoRa devices and gateways are registered. */
  loraVariant?: string
  adapter?: NetworkAdapter
}

/**
 * A call to a network that failed. `refused`: the network said no, and saying it again will not
 * help; `unauthorized`: it does not accept the account; `unreachable`: try again later. The
 * message is in the network's own words and fit for the account's owner.
 */
export class NetworkError extends Error {
  readonly kind: 'refused' | 'unauthorized' | 'unreachable'
  /**
   * Whether the network has certainly not done what it was asked. By default not so when it is
   * unreachable: its answer alone may have been lost.
   */
  readonly isUndone: boolean

  constructor(kind: NetworkError['kind'], message: string, isUndone = kind !== 'unreachable') {
    super(message)
    this.name = 'NetworkError'
    this.kind = kind
    this.isUndone = isUndone
  }
}

/** A callback's body is not a message of the network it was sent for; says what is wrong with it. */
export class NotOurMessage extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotOurMessage'
  }
}
