import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { endpoint } from '../core-services.ts'
import { mostAtEnd, withdrawAtEnd } from './discovery.ts'
import { compareSoon, listTopics } from './discovery-queries.ts'
import { sealSecrets } from './mqtt-settings.ts'
import { checkValues, mergeValues, webhookFields } from './webhook-body.ts'
import { holdingFailures } from './webhook-kinds.ts'
import type { StoredWebhook } from './webhook-queries.ts'
import * as webhookQueries from './webhook-queries.ts'
import { toWebhookRecord, webhookAnswer, webhookNotFound, webhookPath } from './webhook-record.ts'
import type { WebhookServices } from './webhook-sender.ts'

export const changeWebhook = endpoint({
  summary: 'Change a webhook; what is left out stays',
  description: 'What waits is sent by the new address and filters.',
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
