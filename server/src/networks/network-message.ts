// What the networks report, in one normal form.

/** A gateway that heard a frame. */
export interface Reception {
  /**
   * The network's own name of the gateway if it gives no EUI. Empty if it does not say which
   * gateway heard the signal.
   */
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
  /** The message has no time: `receivedAt` is when it came, and ends the deduplication key. */
  isTimeless?: true
  /** The message has another moment in its key, but no time: `receivedAt` is when it came. */
  isDatedHere?: true
  /** A timeless message that is sent again, because its sender saw no acknowledgement. */
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
  /** Of one that the device did not acknowledge: the network sends it again. */
  isRepeated?: true
  /** Absent if the network names only the queue item: one of the two is present. */
  devEui?: string
  /** Absent if the network names none: match by device and order. */
  queueItemId?: string
  /** The gateway that transmitted the downlink, if the network names it. */
  gatewayEui?: string
  deduplicationKey: string
  occurredAt: string
  reason?: string
  details: Record<string, unknown>
}

/** A message of the network that holds nothing to keep, such as a frame on port 0. */
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
  /** The network's reports name the downlink by it. */
  queueItemId: string
  /** In bytes. */
  maximumLength: number
  /** Makes the body of the answer; `isMore` when another downlink waits. */
  answer(downlink: AnsweredDownlink, isMore: boolean): Record<string, unknown>
}

interface AnsweredDownlink {
  fPort: number
  payload: Uint8Array
  confirmed: boolean
}

/** A network asks whether a callback's address is ours before it sends anything there. */
export interface Confirmation {
  kind: 'confirmation'
  /** For `NetworkConnection.confirmCallback`. */
  details: Record<string, string>
}

/** A member of a message that could not be used, with what was there. */
export interface UnreadMember {
  member: string
  /** What was there, in JSON as far as it is short; `undefined` if it was missing. */
  example: string
}

export type NetworkMessage = (
  | Uplink
  | DeviceEvent
  | DownlinkEvent
  | DownlinkRequest
  | Confirmation
  | Nothing
) & {
  /** See `readNoting`. */
  unread?: readonly UnreadMember[]
}

/** A call of a callback. A message of a subscription has the same form, as far as it can. */
export interface CallbackRequest {
  /** What follows the callback's own address, such as `/dataUp`; empty as a rule. */
  path: string
  query: Record<string, string | undefined>
  /** The query as it was sent, without the question mark. */
  sentQuery: string
  /** By lower-case name. */
  headers: Record<string, string | undefined>
  /** Parsed JSON. */
  body: unknown
  /** When it came, for messages without a time: ISO 8601 in UTC with microseconds. */
  receivedAt: string
}

/** The body is no message of the callback's network; the error says what is wrong with it. */
export class NotOurMessage extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotOurMessage'
  }
}
