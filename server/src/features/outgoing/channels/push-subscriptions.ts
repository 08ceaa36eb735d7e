import { createHash } from 'node:crypto'
import { z } from 'zod'
import { sealContext } from '../../../db/secret-keys.ts'
import { changeBy, textOf } from '../../../http/change-record.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId, requiredText } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { findUrlFault } from '../webhooks/webhook-body.ts'
import { timeOrNull } from '../webhooks/webhook-record.ts'
import { readPushKeys } from './push-keys.ts'
import * as pushQueries from './push-queries.ts'

/** Of a user. The oldest one goes. */
const most = 10

const subscriptionRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        name: z.string().describe('Of the browser, for people.'),
        last_sent_at: z.string().nullable(),
        created_at: z.string(),
      },
      {
        id: 3,
        name: 'Chrome on Android',
        last_sent_at: null,
        created_at: '2026-03-01T12:00:00.000000Z',
      },
    ),
  )
  .meta({ id: 'PushSubscription' })

function toRecord({ id, name, last_sent_at, created_at }: pushQueries.StoredSubscription) {
  return { id, name, last_sent_at: timeOrNull(last_sent_at), created_at: isoTime(created_at) }
}

export const listPushSubscriptions = endpoint({
  summary: 'Your browsers that show alerts, and the key for another one',
  answer: z.object({
    data: z.array(subscriptionRecord),
    ...withExamples(
      { public_key: z.string().describe('The `applicationServerKey` of `PushManager.subscribe`.') },
      {
        public_key:
          'BGtkbcjrO12YMoDuq2sCQeHlu47uPx3SHTgFKZFYiBW8Qr0D9vgyZSZPdw6_4ZFEI9Snk1VEAj2qTYI1I1YxBXE',
      },
    ),
  }),
  async handle({ caller }, { db, sealer }) {
    const [subscriptions, { publicKey }] = await Promise.all([
      pushQueries.list(db, caller.userId),
      readPushKeys(db, sealer),
    ])
    return { data: subscriptions.map(toRecord), public_key: publicKey }
  },
})

function bytes(label: string, length: number) {
  const error = `The ${label} must be ${length} bytes in Base64 for addresses.`
  return z
    .string({ error })
    .refine((text) => Buffer.from(text, 'base64url').length === length, error)
}

export const createPushSubscription = endpoint({
  summary: 'Show alerts in a browser',
  description: `What \`PushManager.subscribe\` gives (RFC 8030, RFC 8291), for the channels of the kind \`push\` of the user. It is forgotten when its push service answers 404 or 410. A user has up to ${most}; the oldest one goes.`,
  body: z.object(
    withExamples(
      {
        endpoint: requiredText('endpoint', 2000),
        keys: z.object({ p256dh: bytes('p256dh', 65), auth: bytes('auth', 16) }),
        name: requiredText('name', 100),
      },
      {
        endpoint: 'https://updates.push.services.example/wpush/v2/gAAAAABk',
        keys: {
          p256dh:
            'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
        name: 'Chrome on Android',
      },
    ),
  ),
  status: 201,
  answer: z.object({ data: subscriptionRecord }),
  change: changeBy(({ body }) => ({
    kind: 'alert_channel',
    action: 'subscribed',
    name: textOf(body.name),
  })),
  async handle({ body, caller: { userId }, record }, { db, sealer, outside, now }) {
    const { endpoint, keys, name } = body
    const fault = findUrlFault(outside, endpoint)
    if (fault) throw invalid({ endpoint: [fault] })
    const hash = createHash('sha256').update(endpoint).digest()
    const stored = await db.transaction(async (tx) => {
      const id = await pushQueries.allotId(tx)
      const text = JSON.stringify({ endpoint, keys })
      const sealed = sealer.seal(text, sealContext('pushSubscription', id))
      await pushQueries.insert(tx, { id, userId, hash, sealed, name, now: now() })
      await pushQueries.keepNewest(tx, userId, most)
      await record(tx)
      return (await pushQueries.list(tx, userId)).at(-1)
    })
    if (!stored) throw subscriptionNotFound()
    return { data: toRecord(stored) }
  },
})

export const deletePushSubscription = endpoint({
  summary: 'Show alerts in a browser no longer',
  params: z.object({ subscription_id: pathId('3') }),
  status: 204,
  failures: [404],
  change: changeBy(({ params }) => ({
    kind: 'alert_channel',
    action: 'unsubscribed',
    subject: textOf(params.subscription_id),
  })),
  async handle({ params, caller, record }, { db }) {
    await db.transaction(async (tx) => {
      const isGone = await pushQueries.remove(tx, caller.userId, params.subscription_id)
      if (!isGone) throw subscriptionNotFound()
      await record(tx)
    })
  },
})

function subscriptionNotFound() {
  return notFound('Push subscription not found')
}
