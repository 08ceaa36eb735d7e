import { changeOf } from '../../http/change-record.ts'
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
