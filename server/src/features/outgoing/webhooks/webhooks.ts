import { z } from 'zod'
import { sealContext } from '../../../db/secret-keys.ts'
import { changeOf, creationOf } from '../../../http/change-record.ts'
import { conflict } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { optionalBoolean } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { mostAtEnd, withdrawAtEnd } from './discovery.ts'
import { compareSoon, listTopics } from './discovery-queries.ts'
import { sealSecrets } from './mqtt-settings.ts'
import { newWebhookSecret } from './post-message.ts'
import { checkValues, mergeValues, webhookFields } from './webhook-body.ts'
import { holdingFailures } from './webhook-kinds.ts'
import * as webhookQueries from './webhook-queries.ts'
import { pause, resume, rotate, type StoredWebhook } from './webhook-queries.ts'
import {
  toWebhookRecord,
  webhookAnswer,
  webhookNotFound,
  webhookPath,
  webhookRecord,
  webhookWithSecret,
} from './webhook-record.ts'
import type { WebhookServices } from './webhook-sender.ts'

export const listWebhooks = endpoint({
  summary: 'The webhooks of the organization, with how each of them does',
  answer: z.object({ data: z.array(webhookRecord) }),
  async handle({ caller }, { db, now }) {
    const webhooks = await webhookQueries.list(db, caller.organizationId)
    return { data: webhooks.map((webhook) => toWebhookRecord(webhook, caller, now())) }
  },
})

export const showWebhook = endpoint({
  summary: 'One webhook, with how it does',
  params: webhookPath,
  answer: webhookAnswer,
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const webhook = await webhookQueries.find(db, caller.organizationId, params.webhook_id)
    if (!webhook) throw webhookNotFound()
    return { data: toWebhookRecord(webhook, caller, now()) }
  },
})

const mostWebhooks = 20

export const createWebhook = endpoint({
  summary: 'Send events to a server of your own',
  description: `Every event is a \`POST\` of JSON, \`{ "type", "timestamp", "data" }\`, signed as [Standard
Webhooks](https://www.standardwebhooks.com) describes. Any 2xx within 10 seconds means delivered; all else is
tried again for a day, with the same \`webhook-id\`. Events of a device come in their order, each at
least once. It begins with the next event: \`replay\` sends earlier uplinks.

Where the address is an MQTT broker (\`mqtts:\`, \`wss:\`), the same JSON is published there with QoS 1,
and delivered with the broker's PUBACK. MQTT 5 carries the three headers as user properties.

An organization has up to ${mostWebhooks} webhooks.`,
  body: z.object(webhookFields),
  status: 201,
  answer: webhookWithSecret,
  failures: [409],
  change: creationOf('webhook'),
  async handle({ body, caller, record }, services) {
    const { db, sealer, now } = services
    const { organizationId } = caller
    const { values, secrets } = mergeValues(sealer, undefined, body)
    await checkValues(services, organizationId, body, { values, secrets })
    const secret = newWebhookSecret()
    const webhook = await db.transaction(async (tx) => {
      if ((await webhookQueries.countLocked(tx, organizationId)) >= mostWebhooks) {
        throw conflict(`The organization has ${mostWebhooks} webhooks already.`)
      }
      const id = await webhookQueries.allotId(tx)
      const sealed = sealer.seal(secret, sealContext('webhookSecret', organizationId, id))
      const sealedLogin = sealSecrets(sealer, secrets, organizationId, id)
      const sealedValues = { sealed, sealedLogin }
      await webhookQueries.insert(tx, organizationId, {
        ...values,
        ...sealedValues,
        id,
        now: now(),
      })
      await record(tx, { data: { id } })
      return webhookQueries.find(tx, organizationId, id)
    })
    if (!webhook) throw webhookNotFound()
    return { data: { ...toWebhookRecord(webhook, caller, now()), secret } }
  },
})

export const changeWebhook = endpoint({
  summary: 'Change a webhook; what is left out stays',
  description: 'Queued events are sent with the new address and filters.',
  params: webhookPath,
  body: z.object(webhookFields).partial(),
  answer: webhookAnswer,
  failures: [404],
  change: changeOf('webhook', 'changed'),
  async handle({ params, body, caller, record }, services: WebhookServices) {
    const { db, sealer, now } = services
    const { organizationId } = caller
    const stored = await webhookQueries.find(db, organizationId, params.webhook_id)
    if (!stored) throw webhookNotFound()
    const merged = mergeValues(sealer, stored, body)
    await checkValues(services, organizationId, body, merged)
    const { values, secrets } = merged
    const left = isLeft(stored, values.url) ? await listTopics(db, stored, mostAtEnd) : []
    await db.transaction(async (tx) => {
      await webhookQueries.update(tx, organizationId, {
        ...values,
        id: stored.id,
        sealedLogin: sealSecrets(sealer, secrets, organizationId, stored.id),
        now: now(),
      })
      await compareSoon(tx, stored, {
        now: now(),
        isElsewhere: values.url !== stored.url,
        isOnAgain: values.mqtt?.discovery === true && stored.mqtt?.discovery !== true,
      })
      await record(tx)
    })
    await withdrawAtEnd(services, stored, left)
    const webhook = await webhookQueries.find(db, organizationId, stored.id)
    if (!webhook) throw webhookNotFound()
    return { data: toWebhookRecord(webhook, caller, now()) }
  },
})

/**
 * Whether what is announced at the former address is to be taken back. The same host is taken for
 * the same broker, by TLS or another port: the devices would be gone from it until they send again.
 * A broker that fails is not waited for.
 */
function isLeft({ url, failures }: StoredWebhook, next: string): boolean {
  return new URL(url).hostname !== new URL(next).hostname && failures < holdingFailures
}

export const deleteWebhook = endpoint({
  summary: 'Delete a webhook, with what it has still to send',
  params: webhookPath,
  status: 204,
  failures: [404],
  change: changeOf('webhook', 'deleted'),
  async handle({ params, caller, record }, services: WebhookServices) {
    const { db } = services
    const { organizationId } = caller
    const webhook = await webhookQueries.find(db, organizationId, params.webhook_id)
    if (!webhook) throw webhookNotFound()
    const announced = await listTopics(db, webhook, mostAtEnd)
    await db.transaction(async (tx) => {
      const isGone = await webhookQueries.remove(tx, organizationId, params.webhook_id)
      if (!isGone) throw webhookNotFound()
      await record(tx)
    })
    await withdrawAtEnd(services, webhook, announced)
  },
})

export const pauseWebhook = endpoint({
  summary: 'Send nothing until the webhook is resumed',
  description: 'What happens meanwhile is sent then.',
  params: webhookPath,
  answer: webhookAnswer,
  failures: [404],
  change: changeOf('webhook', 'paused'),
  async handle({ params, caller, record }, { db, now }) {
    const { organizationId } = caller
    const webhook = await db.transaction(async (tx) => {
      await pause(tx, organizationId, { id: params.webhook_id, now: now() })
      const paused = await webhookQueries.find(tx, organizationId, params.webhook_id)
      if (!paused) throw webhookNotFound()
      await record(tx)
      return paused
    })
    return { data: toWebhookRecord(webhook, caller, now()) }
  },
})

export const resumeWebhook = endpoint({
  summary: 'Go on with a webhook that was paused or disabled, or try a failing one at once',
  description:
    'Everything since is sent, in its order, as long as the uplinks are kept. With `skip`, it begins with the next event, and what waits becomes dead letters.',
  params: webhookPath,
  body: z.object(withExamples({ skip: optionalBoolean('skip') }, { skip: false })),
  answer: webhookAnswer,
  failures: [404],
  change: changeOf('webhook', 'resumed'),
  async handle({ params, body, caller, record }, { db, now, webhookSender }: WebhookServices) {
    const { organizationId } = caller
    const webhook = await db.transaction(async (tx) => {
      const change = { id: params.webhook_id, now: now(), skips: body.skip ?? false }
      await resume(tx, organizationId, change)
      const resumed = await webhookQueries.find(tx, organizationId, params.webhook_id)
      if (!resumed) throw webhookNotFound()
      await record(tx)
      return resumed
    })
    webhookSender.wake()
    return { data: toWebhookRecord(webhook, caller, now()) }
  },
})

const usualHours = 24
const mostHours = 168
const message = `The overlap hours must be a whole number from 0 to ${mostHours}.`

export const rotateWebhookSecret = endpoint({
  summary: 'Make another secret; messages are signed with both for a while',
  description: `For \`overlap_hours\` (${usualHours} by default) each message has two signatures, so the receiver
can change at any time. With 0, the old secret ends at once. An earlier one ends in any case.`,
  params: webhookPath,
  body: z.object(
    withExamples(
      {
        overlap_hours: z.int({ error: message }).min(0, message).max(mostHours, message).optional(),
      },
      { overlap_hours: usualHours },
    ),
  ),
  answer: webhookWithSecret,
  failures: [404],
  change: changeOf('webhook', 'given a new secret'),
  async handle({ params, body, caller, record }, { db, sealer, now }) {
    const { organizationId } = caller
    const hours = body.overlap_hours ?? usualHours
    const secret = newWebhookSecret()
    const webhook = await db.transaction(async (tx) => {
      const stored = await webhookQueries.lock(tx, organizationId, params.webhook_id)
      if (!stored) throw webhookNotFound()
      const keys = [organizationId, stored.id] as const
      const former = sealer.open(stored.sealed_secret, sealContext('webhookSecret', ...keys))
      await rotate(tx, organizationId, {
        id: stored.id,
        sealed: sealer.seal(secret, sealContext('webhookSecret', ...keys)),
        sealedFormer: sealer.seal(former, sealContext('formerWebhookSecret', ...keys)),
        until: new Date(now().getTime() + hours * 60 * 60 * 1000),
        now: now(),
      })
      await record(tx)
      return webhookQueries.find(tx, organizationId, stored.id)
    })
    if (!webhook) throw webhookNotFound()
    return { data: { ...toWebhookRecord(webhook, caller, now()), secret } }
  },
})
