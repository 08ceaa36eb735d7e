import { changeOf } from '../../http/change-record.ts'
import { endpoint } from '../core-services.ts'
import { mostAtEnd, withdrawAtEnd } from './discovery.ts'
import { listTopics } from './discovery-queries.ts'
import * as webhookQueries from './webhook-queries.ts'
import { webhookNotFound, webhookPath } from './webhook-record.ts'
import type { WebhookServices } from './webhook-sender.ts'

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
