import { endpoint } from '../core-services.ts'
import * as webhookQueries from './webhook-queries.ts'
import { webhookNotFound, webhookPath } from './webhook-record.ts'

export const deleteWebhook = endpoint({
  summary: 'Delete a webhook, with what it has still to send',
  params: webhookPath,
  status: 204,
  failures: [404],
  async handle({ params, caller }, { db }) {
    const isGone = await webhookQueries.remove(db, caller.organizationId, params.webhook_id)
    if (!isGone) throw webhookNotFound()
  },
})
