import type { Database } from '../../../db/connect.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { Attempt } from '../webhooks/post-message.ts'
import type { Delivery, DeliveryServices } from './delivery.ts'
import { readPushKeys } from './push-keys.ts'
import type { StoredSubscription } from './push-queries.ts'
import * as pushQueries from './push-queries.ts'
import type { Notice } from './requests.ts'

type PushServices = Pick<DeliveryServices, 'sealer' | 'poster' | 'now' | 'publicUrl'> & {
  db: Database
}

/** Seconds for which a push service keeps it for a browser that is off. */
const keptSeconds = 6 * 3600
const mostText = 1000

/** The browser is no longer subscribed (RFC 8030, section 7.3). */
const gone = new Set([404, 410])

/** Sends a message to all browsers of a user. It is delivered if one push service took it. */
export async function sendPush(
  services: PushServices,
  userId: number,
  notice: Notice,
): Promise<Delivery> {
  const { db } = services
  const attempts: Attempt[] = []
  for (const subscription of await pushQueries.list(db, userId)) {
    const attempt = await pushTo(services, subscription, notice)
    if (attempt.status !== undefined && gone.has(attempt.status)) {
      await pushQueries.remove(db, userId, subscription.id)
      continue
    }
    attempts.push(attempt)
  }
  const [first] = attempts
  if (!first) {
    const failure = 'No browser of the member is subscribed.'
    return { isDelivered: false, isFinal: true, failure }
  }
  if (attempts.some(({ isDelivered }) => isDelivered)) return { isDelivered: true }
  const { status, answer, retryAfterMs } = first
  const failure = status === undefined ? answer : `Answer ${status}: ${answer || 'no text'}`
  return { isDelivered: false, failure, retryAfterMs }
}

async function pushTo(
  { db, sealer, poster, now, publicUrl }: PushServices,
  { id, sealed_subscription }: StoredSubscription,
  { title, text, url, severity }: Notice,
): Promise<Attempt> {
  const webPush = (await import('web-push')).default
  const opened = sealer.open(sealed_subscription, sealContext('pushSubscription', id))
  const path = url.slice(publicUrl.length + 1)
  const payload = JSON.stringify({ title, body: text.slice(0, mostText), path })
  const { protocol, hostname } = new URL(publicUrl)
  const subject = protocol === 'https:' ? publicUrl : `mailto:postmaster@${hostname}`
  const request = webPush.generateRequestDetails(JSON.parse(opened), payload, {
    vapidDetails: { subject, ...(await readPushKeys(db, sealer)) },
    TTL: keptSeconds,
    urgency: severity === 'critical' ? 'high' : 'normal',
  })
  const headers = Object.entries(request.headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    return lower === 'content-length' ? [] : [[lower, String(value)] as const]
  })
  const message = { url: request.endpoint, headers: Object.fromEntries(headers) }
  const attempt = await poster.post({ ...message, body: request.body }, now())
  if (attempt.isDelivered) await pushQueries.noteSent(db, id, now())
  return attempt
}
