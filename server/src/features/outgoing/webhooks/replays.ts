import { z } from 'zod'
import { changeOf } from '../../../http/change-record.ts'
import { conflict, invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { optionalBoolean, queryTime } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { beginReplay, findOrdinals, hurry, repeatEvents, reviveDead } from './replay-queries.ts'
import * as webhookQueries from './webhook-queries.ts'
import { webhookNotFound, webhookPath } from './webhook-record.ts'
import type { WebhookServices } from './webhook-sender.ts'

export const replayDelivery = endpoint({
  summary: 'Send a dead letter or a queued event again now',
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

export const replayAnswer = z.object({
  data: z.object(
    withExamples(
      {
        uplinks: z.int().describe('Uplinks of the range, before the filters are looked at.'),
        others: z.int().describe('Other events, or dead letters.'),
      },
      { uplinks: 1200, others: 3 },
    ),
  ),
})

export const replayWebhook = endpoint({
  summary: 'Send the events of a time once more, or all dead letters',
  description: `With \`from\` and \`to\` (before which it ends; now by default): the stored uplinks that arrived in
between, also those from before the webhook was made, as its filters are now; and the other events
that it was sent in the last 30 days. With \`dead_letters\`: only these. Each event has the
\`webhook-id\` that it always had. Newer events are not held up.`,
  params: webhookPath,
  body: z.object(
    withExamples(
      {
        from: queryTime('from').optional(),
        to: queryTime('to').optional(),
        dead_letters: optionalBoolean('dead letters'),
      },
      { from: '2026-03-01T08:00:00Z', to: '2026-03-01T10:00:00Z' },
    ),
  ),
  status: 202,
  answer: replayAnswer,
  failures: [404, 409],
  change: changeOf('webhook', 'replayed'),
  async handle({ params, body, caller, record }, services: WebhookServices) {
    const { db, now, webhookSender } = services
    const { organizationId } = caller
    const webhook = await webhookQueries.find(db, organizationId, params.webhook_id)
    if (!webhook) throw webhookNotFound()
    if (body.dead_letters) {
      const others = await db.transaction(async (tx) => {
        await record(tx)
        return reviveDead(tx, organizationId, webhook.id, { now: now() })
      })
      webhookSender.wake()
      return { data: { uplinks: 0, others } }
    }
    const { from, to = now() } = body
    if (!from) throw invalid({ from: ['The from field is required, or dead_letters.'] })
    if (from >= to) throw invalid({ to: ['The to must be a time after from.'] })
    const range = webhook.events.includes('uplink')
      ? await findOrdinals(db, organizationId, { from, to })
      : { after: 0, upTo: 0 }
    const uplinks = range.upTo - range.after
    const others = await db.transaction(async (tx) => {
      if (uplinks > 0 && !(await beginReplay(tx, organizationId, webhook.id, range))) {
        throw conflict('A replay is running. Please wait until it has ended.', 60)
      }
      await record(tx)
      return repeatEvents(tx, organizationId, webhook.id, { from, to, now: now() })
    })
    webhookSender.wake()
    return { data: { uplinks, others } }
  },
})
