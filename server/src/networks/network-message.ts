// What the networks report, in one normal form.

/** A gateway that heard a frame. */
export interface Reception {
  /** Empty where the network tells of a signal, and not which gateway heard it. */
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
  /**
   * The network sends one message per gateway, or one uplink in two forms: the receptions of a
   * repeated message join those of the first.
   */
  isPartial?: true
  /** The message tells no time: the one of its arrival, `receivedAt`, ends the deduplication key. */
  isTimeless?: true
  /** It comes again, since its sender did not learn that it was taken. Of timeless ones alone. */
  isSentAgain?: true
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
  /** `postponed`: the gateway did not send it, and it stays in the network's queue. */
  state: 'sent' | 'acknowledged' | 'not_acknowledged' | 'failed' | 'postponed'
  /** Absent where the network names the queue item alone. One of the two is there. */
  devEui?: string
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

/**
 * A network that keeps no queue asks for the next downlink of a device, and waits for it in the
 * answer to its call.
 */
export interface DownlinkRequest {
  kind: 'downlink_request'
  devEui: string
  /** By which the network's reports name what it is given now. */
  queueItemId: string
  /** Bytes that fit. */
  maximumLength: number
  /** The body of the answer; `isMore` when another one waits. */
  answer(downlink: AnsweredDownlink, isMore: boolean): Record<string, unknown>
}

interface AnsweredDownlink {
  fPort: number
  payload: Uint8Array
  confirmed: boolean
}

/** A network wants to know whether a callback's address is ours before it sends anything there. */
export interface Confirmation {
  kind: 'confirmation'
  /** What the network gave for it, which `NetworkConnection.confirmCallback` understands. */
  details: Record<string, string>
}

export type NetworkMessage =
  | Uplink
  | DeviceEvent
  | DownlinkEvent
  | DownlinkRequest
  | Confirmation
  | Nothing

/** What a callback received, or a subscription: there path, query and headers say what it can. */
export interface CallbackRequest {
  /** What follows the callback's own address, such as `/dataUp`; mostly nothing. */
  path: string
  query: Record<string, string | undefined>
  /** The query as it was sent, without the question mark. */
  sentQuery: string
  /** By lower-case name. */
  headers: Record<string, string | undefined>
  /** Parsed JSON. */
  body: unknown
  /** When it came, ISO 8601 in UTC with microseconds: for messages that carry no time. */
  receivedAt: string
}

/** A callback's body is not a message of the network it was sent for; says what is wrong with it. */
export class NotOurMessage extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotOurMessage'
  }
}
