import type { SectionName } from '../../sensors/settings/section.ts'

/**
 * The state of a downlink. `queued`: it is in our own queue. `handed_over`: it is in the network's
 * queue. `sent`: it is on its way to the device. The other states are final. A downlink that a
 * sensor does not acknowledge for days has failed (`missing-downlinks.ts`). Devices need not acknowledge the
 * messages of codecs and raw ones, so for these `sent` can be the last. `expired`: its time passed
 * before it was handed over, and it is certainly never sent.
 */
export type DownlinkState =
  | 'queued'
  | 'handed_over'
  | 'sent'
  | 'acknowledged'
  | 'rejected'
  | 'failed'
  | 'cancelled'
  | 'expired'

/** What a downlink consists of: one section of settings, or bytes that a user gave. */
export type DownlinkSection = SectionName | 'raw'

/** The events of the history: `event_name` and its `configStatus` (docs/contract.txt, 6.1). */
export const historyEvents = {
  event_created: 'New Config Created',
  event_sent: 'Config Sent',
  event_acknowledged: 'Config Acknowledged',
  event_rejected: 'Config Rejected',
  event_failed: 'Config Failed',
  event_cancelled: 'Config Cancelled',
  event_expired: 'Config Expired',
} as const

export type HistoryEvent = keyof typeof historyEvents

/** A state that a downlink can reach after its creation and hand-over. */
export type NextState = Exclude<DownlinkState, 'queued' | 'handed_over'>

/**
 * The states from which each state can be reached. In any other state, a report comes too late and
 * changes nothing. `changeState` allows one more change: from an uncertain `failed` to `sent`.
 */
export const statesBefore: Record<NextState, readonly DownlinkState[]> = {
  // From `queued` too: the network may send a downlink before its hand-over is recorded here.
  sent: ['queued', 'handed_over'],
  acknowledged: ['sent'],
  rejected: ['sent'],
  failed: ['queued', 'handed_over', 'sent'],
  cancelled: ['queued', 'handed_over'],
  expired: ['queued'],
}
