import { endpoint } from '../core-services.ts'
import * as webhookQueries from './webhook-queries.ts'
import { toWebhookRecord, webhookAnswer, webhookNotFound, webhookPath } from './webhook-record.ts'

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
