import { waitAfter } from '../../../networks/back-off.ts'
import type { CoreServices } from '../../core-services.ts'
import { createTenantTurns, type TenantTurns } from '../../fleet/jobs/tenant-turns.ts'
import { deliver, isFinal, reasonOf } from '../../people/auth/deliver-mail.ts'
import * as channelQueries from '../channels/channel-queries.ts'
import { deliverMessage } from '../channels/deliver-message.ts'
import type { Delivery, DeliveryServices } from '../channels/delivery.ts'
import type { ClaimedMessage, DueMessage } from './message-queries.ts'
import * as messageQueries from './message-queries.ts'

/** Sends what alerts have written, in the background: the mails of rules, and the messages of channels. */
export interface AlertMessages extends TenantTurns {
  /** Whether the operator has a mail server. */
  readonly canSend: boolean
}

type MessageServices = Pick<CoreServices, 'log' | 'presence'> & DeliveryServices

/** Messages at once in this process, and of one tenant. */
const parallelism = 8
const mostOfTenant = 2
const hour = 60 * 60 * 1000
const day = 24 * hour
/** Between the attempts of one message. */
const backOff = { firstMs: 30_000, longestMs: 2 * hour }
/** Then it is given up: at once, a channel's message helps nobody later. */
const patienceMilliseconds = { mail: day, channel: 6 * hour }
/** What is older is not sent at all: there was no mail server when it was written. */
const freshMilliseconds = 7 * day

/**
 * A message is a row until the receiver has taken it. One process sends it at a time. After a crash
 * between the answer and the commit it goes out again; a mail under the same `Message-ID`.
 */
export function createAlertMessages(services: MessageServices): AlertMessages {
  const { db, now, log, mail } = services
  const canSend = mail !== undefined
  const turns = createTenantTurns({
    list: () => messageQueries.listDue(db, { now: now(), each: mostOfTenant, canMail: canSend }),
    keyOf: ({ organization_id, id }) => `${organization_id} ${id}`,
    parallelism,
    mayBegin: ({ tenant_id }, busy) =>
      busy.filter((each) => each.tenant_id === tenant_id).length < mostOfTenant,
    async work(due) {
      await sendMessage(services, due)
      return true
    },
    // The claim ends by itself, and the next one sends it again.
    reportFailure: (err) => log.warn({ err }, 'a message of an alert could not be sent'),
  })
  return { ...turns, canSend }
}

async function sendMessage(
  services: MessageServices,
  { organization_id: organizationId, id }: DueMessage,
): Promise<void> {
  const { db, now, log, presence } = services
  const claimed = await messageQueries.claim(db, organizationId, id, { now: now(), presence })
  if (!claimed) return
  const age = () => now().getTime() - Date.parse(claimed.created_at)
  const sent = await send(services, claimed, age())
  if (sent.isDelivered) {
    await messageQueries.noteSent(db, claimed, now())
    return
  }
  const { failure = '', retryAfterMs = 0 } = sent
  const patience = patienceMilliseconds[claimed.channel_id === null ? 'mail' : 'channel']
  if (sent.isFinal || age() >= patience) {
    log.warn({ organizationId, message: id, reason: failure }, 'a message of an alert is given up')
    await messageQueries.giveUp(db, claimed, failure)
    return
  }
  const wait = Math.max(waitAfter(backOff, claimed.attempts + 1), retryAfterMs)
  const next = new Date(now().getTime() + wait)
  await messageQueries.postpone(db, claimed, { reason: failure, next })
}

async function send(
  services: MessageServices,
  message: ClaimedMessage,
  age: number,
): Promise<Delivery> {
  if (age >= freshMilliseconds) return failed('No mail server took it for a week.')
  return message.channel_id === null
    ? sendMail(services, message)
    : sendByChannel(services, message, message.channel_id)
}

function failed(failure: string): Delivery {
  return { isDelivered: false, isFinal: true, failure }
}

async function sendMail(
  { db, mail, publicUrl }: MessageServices,
  { organization_id: organizationId, user_id, key, subject, body: text }: ClaimedMessage,
): Promise<Delivery> {
  const to = await messageQueries.findAddress(db, organizationId, user_id)
  if (to === undefined || !mail) {
    return failed('The recipient is no longer a member, or is limited to a group.')
  }
  const messageId = `<alert-${organizationId}-${key}@${new URL(publicUrl).hostname}>`
  const headers = { 'Auto-Submitted': 'auto-generated' }
  try {
    await deliver(mail, { to, subject, text, headers, messageId })
    return { isDelivered: true }
  } catch (error) {
    const { reason } = reasonOf(error)
    // Only the operator can fix a refused login: it is not the recipient's fault.
    return {
      isDelivered: false,
      failure: reason,
      isFinal: isFinal(error) && reason !== 'EAUTH',
    }
  }
}

async function sendByChannel(
  services: MessageServices,
  { organization_id: organizationId, key, subject, body, severity, url, is_open }: ClaimedMessage,
  channelId: number,
): Promise<Delivery> {
  const { db, now, publicUrl } = services
  const channel = await channelQueries.find(db, organizationId, channelId)
  if (!channel?.is_active) return failed('The channel is off, or is no more.')
  const sent = await deliverMessage(services, channel, {
    title: subject,
    text: body,
    url: url ?? publicUrl,
    severity,
    isOpen: is_open ?? true,
    channelKey: `lora-${organizationId}-${channelId}`,
    key: `${organizationId}-${key}`,
  })
  const result = { now: now(), failure: sent.isDelivered ? undefined : sent.failure }
  await channelQueries.noteResult(db, organizationId, channelId, result)
  return sent
}
