/** The kinds of events that a webhook may choose. A `test` comes when somebody presses the button. */
export const webhookEvents = [
  'uplink',
  'join',
  'downlink',
  'device_state',
  'registration',
  'alert',
  'audit',
] as const

export type WebhookEvent = (typeof webhookEvents)[number]

export const webhookStates = ['active', 'paused', 'disabled'] as const

export type WebhookState = (typeof webhookStates)[number]

/** Failed attempts in a row after which a webhook is only probed, with one event at a time. */
export const holdingFailures = 5

/** How long an event is tried, and how long a receiver may fail until its webhook is disabled. */
export const patienceMilliseconds = 24 * 60 * 60 * 1000

/** Deliveries of one webhook that may wait for another try. Beyond it the cursor waits. */
export const mostWaiting = 10_000
