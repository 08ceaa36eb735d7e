import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { notFound } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { hurry, reviveDead } from './replay-queries.ts'
import * as webhookQueries from './webhook-queries.ts'
import { webhookNotFound, webhookPath } from './webhook-record.ts'
import type { WebhookServices } from './webhook-sender.ts'

export const replayDelivery = endpoint({
  summary: 'Try a dead letter, or an event that waits, again now',
  params: webhookPath.extend({
    delivery_id: z
      .string()
      .transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0))
      .meta({ examples: ['12'] }),
  }),
  status: 204,
  failures: [404],
  change: changeOf('webhook', 'replayed'),
  async handle({ params, caller: { organizationId }, record }, services: WebhookServices) {
    const { db, now, webhookSender } = services
    const webhook = await webhookQueries.find(db, organizationId, params.webhook_id)
    if (!webhook) throw webhookNotFound()
    const one = { id: params.delivery_id, now: now() }
    await db.transaction(async (tx) => {
      const isWaiting = await hurry(tx, organizationId, webhook.id, one)
      if (!isWaiting && (await reviveDead(tx, organizationId, webhook.id, one)) === 0) {
        throw notFound('Delivery not found')
      }
      await record(tx)
    })
    webhookSender.wake()
  },
})
