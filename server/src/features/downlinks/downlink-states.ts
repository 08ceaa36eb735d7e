/**
 * How far a downlink is. `queued`: in our own queue; `handed_over`: in the network's; `sent`: on
 * its way to the device. The others are its ends. What a sensor leaves unanswered for days has failed
 * (`unanswered.ts`); for the messages of codecs, which none answers, `sent` is the end.
 */
export type DownlinkState =
  | 'queued'
  | 'handed_over'
  | 'sent'
  | 'acknowledged'
  | 'rejected'
  | 'failed'
  | 'cancelled'

/** What the history tells: `event_name` and its `configStatus` (service.md, "Events"). */
export const historyEvents = {
  event_created: 'New Config Created',
  event_sent: 'Config Sent',
  event_acknowledged: 'Config Acknowledged',
  event_rejected: 'Config Rejected',
  event_failed: 'Config Failed',
  event_cancelled: 'Config Cancelled',
} as const

export type HistoryEvent = keyof typeof historyEvents

/** A state that a downlink can get into after it was created and handed over. */
export type NextState = Exclude<DownlinkState, 'queued' | 'handed_over'>

/** The states that each one follows. Whatever else is told comes too late and changes nothing. */
export const statesBefore: Record<NextState, readonly DownlinkState[]> = {
  // From `queued` too: the network may send what it was handed before we know that it was.
  sent: ['queued', 'handed_over'],
  acknowledged: ['sent'],
  rejected: ['sent'],
  failed: ['queued', 'handed_over', 'sent'],
  cancelled: ['queued', 'handed_over'],
}
