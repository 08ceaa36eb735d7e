import { z } from 'zod'
import { endpoint } from '../core-services.ts'
import { checkValues, mergeValues, webhookFields } from './webhook-body.ts'
import * as webhookQueries from './webhook-queries.ts'
import { toWebhookRecord, webhookAnswer, webhookNotFound, webhookPath } from './webhook-record.ts'

export const changeWebhook = endpoint({
  summary: 'Change a webhook; what is left out stays',
  description: 'What waits is sent by the new address and filters.',
  params: webhookPath,
  body: z.object(webhookFields).partial(),
  answer: webhookAnswer,
  failures: [404],
  async handle({ params, body, caller }, services) {
    const { db, now } = services
    const { organizationId } = caller
    const stored = await webhookQueries.find(db, organizationId, params.webhook_id)
    if (!stored) throw webhookNotFound()
    await checkValues(services, organizationId, body)
    const values = mergeValues(stored, body)
    await webhookQueries.update(db, organizationId, { ...values, id: stored.id, now: now() })
    const webhook = await webhookQueries.find(db, organizationId, stored.id)
    if (!webhook) throw webhookNotFound()
    return { data: toWebhookRecord(webhook, caller, now()) }
  },
})
