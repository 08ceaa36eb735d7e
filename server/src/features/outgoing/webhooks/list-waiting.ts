import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { queryChoice } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { endOf, partEnd, partFields } from './list-deliveries.ts'
import { type DeliveryRow, listDeliveries } from './log-queries.ts'
import * as webhookQueries from './webhook-queries.ts'
import { webhookNotFound, webhookPath } from './webhook-record.ts'

const waitingRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        type: z.string(),
        device_id: z.string().nullable().describe('The DevEUI.'),
        device_name: z.string().nullable(),
        ordinal: z.int().nullable().describe('Of the uplink.'),
        happened_at: z.string(),
        attempts: z.int(),
        next_attempt_at: z.string().nullable().describe('Null for a dead letter.'),
        message: z.string().nullable().describe('What the last attempt came to.'),
      },
      {
        id: 12,
        type: 'uplink',
        device_id: '00AA000000000001',
        device_name: 'Front door',
        ordinal: 80113,
        happened_at: '2026-03-01T11:59:08.000000Z',
        attempts: 3,
        next_attempt_at: '2026-03-01T12:01:08.000000Z',
        message: '500: internal error',
      },
    ),
  )
  .meta({ id: 'WebhookDelivery' })

export const listWebhookWaiting = endpoint({
  summary: 'Events queued for another attempt, or dead letters, newest first',
  description:
    'Uplinks that a webhook has not come to yet are not listed; `health.waiting` counts them.',
  params: webhookPath,
  query: z.object({
    state: queryChoice('state', ['waiting', 'dead']).default('waiting'),
    ...partFields,
  }),
  answer: z.object({ data: z.array(waitingRecord), ...partEnd }),
  failures: [404],
  async handle({ params, query, caller: { organizationId } }, { db }) {
    const webhook = await webhookQueries.find(db, organizationId, params.webhook_id)
    if (!webhook) throw webhookNotFound()
    const { limit, before, state } = query
    const rows = await listDeliveries(db, organizationId, webhook.id, { before, limit, state })
    return { data: rows.map((row) => toRecord(row, state)), after: endOf(rows, limit) }
  },
})

function toRecord(row: DeliveryRow, state: 'waiting' | 'dead'): z.infer<typeof waitingRecord> {
  return {
    id: row.id,
    type: row.kind,
    device_id: row.device_eui,
    device_name: row.device_name,
    ordinal: row.ordinal,
    happened_at: isoTime(row.happened_at),
    attempts: row.attempts,
    next_attempt_at: state === 'dead' ? null : isoTime(row.next_attempt_at),
    message: row.last_failure,
  }
}
