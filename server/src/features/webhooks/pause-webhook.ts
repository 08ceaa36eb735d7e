import { endpoint } from '../core-services.ts'
import * as webhookQueries from './webhook-queries.ts'
import { toWebhookRecord, webhookAnswer, webhookNotFound, webhookPath } from './webhook-record.ts'
import { pause } from './webhook-state-queries.ts'

export const pauseWebhook = endpoint({
  summary: 'Send nothing until the webhook is resumed',
  description: 'What happens meanwhile is sent then.',
  params: webhookPath,
  answer: webhookAnswer,
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const { organizationId } = caller
    await pause(db, organizationId, { id: params.webhook_id, now: now() })
    const webhook = await webhookQueries.find(db, organizationId, params.webhook_id)
    if (!webhook) throw webhookNotFound()
    return { data: toWebhookRecord(webhook, caller, now()) }
  },
})
