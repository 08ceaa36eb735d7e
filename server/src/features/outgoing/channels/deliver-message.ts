import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import { deliver, isFinal, reasonOf } from '../../people/auth/deliver-mail.ts'
import { type AnySettings, channelSettings } from './channel-kinds.ts'
import type { ListedChannel } from './channel-queries.ts'
import type { Delivery, DeliveryServices } from './delivery.ts'
import { type Notice, type PostedKind, requestOf } from './requests.ts'
import { sendPush } from './send-push.ts'

export function openSettings(
  sealer: Sealer,
  { id, kind, sealed_settings }: Pick<ListedChannel, 'id' | 'kind' | 'sealed_settings'>,
): AnySettings {
  const text = sealer.open(sealed_settings, sealContext('alertChannel', id))
  return channelSettings[kind].parse(JSON.parse(text))
}

/** Sends one message by a channel. `key` is the same at every attempt. */
export function deliverMessage(
  services: DeliveryServices,
  channel: ListedChannel,
  notice: Notice & { key: string },
): Promise<Delivery> {
  const { kind } = channel
  if (kind === 'mail') return sendMail(services, channel, notice)
  if (kind === 'push') return sendPush(services, channel.user_id, notice)
  return post(services, { ...channel, kind }, notice)
}

async function sendMail(
  { mail }: DeliveryServices,
  { email: to }: ListedChannel,
  { title, text, url, key }: Notice & { key: string },
): Promise<Delivery> {
  if (!mail) {
    return { isDelivered: false, isFinal: true, failure: 'The service has no mail server.' }
  }
  const messageId = `<alert-${key}@${new URL(url).hostname}>`
  const headers = { 'Auto-Submitted': 'auto-generated' }
  try {
    const message = { to, subject: title, text: `${text}\n\n${url}\n`, headers, messageId }
    await deliver(mail, message)
    return { isDelivered: true }
  } catch (error) {
    const { reason } = reasonOf(error)
    // Only the operator can fix a refused login.
    const failure = `The mail server did not take it (${reason}).`
    return { isDelivered: false, failure, isFinal: isFinal(error) && reason !== 'EAUTH' }
  }
}

/** Answers that a later attempt may change. */
const passing = new Set([408, 425, 429])

async function post(
  { sealer, poster, now }: DeliveryServices,
  channel: ListedChannel & { kind: PostedKind },
  notice: Notice,
): Promise<Delivery> {
  const request = requestOf(channel.kind, openSettings(sealer, channel), notice)
  const { isDelivered, status, answer, retryAfterMs } = await poster.post(request, now())
  if (isDelivered) return { isDelivered }
  const failure = status === undefined ? answer : `Answer ${status}: ${answer || 'no text'}`
  const isRefused = status !== undefined && status < 500 && !passing.has(status)
  return { isDelivered, failure, isFinal: isRefused, retryAfterMs }
}
