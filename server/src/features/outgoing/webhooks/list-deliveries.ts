import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { queryChoice, queryInteger } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { type AttemptRow, listAttempts } from './log-queries.ts'
import * as webhookQueries from './webhook-queries.ts'
import { webhookNotFound, webhookPath } from './webhook-record.ts'

const attemptRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        type: z.string().describe('The kind of event, or `test`.'),
        device_id: z.string().nullable().describe('The DevEUI.'),
        device_name: z.string().nullable(),
        ordinal: z.int().nullable().describe('Of the uplink.'),
        at: z.string(),
        delivered: z.boolean(),
        status: z.int().nullable(),
        duration_ms: z.int(),
        answer: z.string().nullable().describe('Its beginning, or why there is none.'),
      },
      {
        id: 71,
        type: 'uplink',
        device_id: '00AA000000000001',
        device_name: 'Front door',
        ordinal: 80113,
        at: '2026-03-01T11:59:08.000000Z',
        delivered: true,
        status: 200,
        duration_ms: 42,
        answer: null,
      },
    ),
  )
  .meta({ id: 'WebhookAttempt' })

/** What the two lists of a webhook have in common. */
export const partFields = {
  before: z
    .string()
    .regex(/^\d{1,15}$/, 'The before must be an id.')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', description: 'The `after` of the answer before: the further ones.' }),
  limit: queryInteger('limit', { min: 1, max: 200, fallback: 50 }),
}

export const partEnd = withExamples(
  { after: z.int().nullable().describe('The `before` of the next request; null at the end.') },
  { after: null },
)

export function endOf(rows: readonly { id: number }[], limit: number): number | null {
  return rows.length < limit ? null : (rows.at(-1)?.id ?? null)
}

export const listWebhookDeliveries = endpoint({
  summary: 'Each attempt to deliver, newest first',
  description: 'Kept for 30 days, 100,000 attempts of a webhook at most.',
  params: webhookPath,
  query: z.object({
    outcome: queryChoice('outcome', ['any', 'failed']).default('any'),
    ...partFields,
  }),
  answer: z.object({ data: z.array(attemptRecord), ...partEnd }),
  failures: [404],
  async handle({ params, query, caller: { organizationId } }, { db }) {
    const webhook = await webhookQueries.find(db, organizationId, params.webhook_id)
    if (!webhook) throw webhookNotFound()
    const { limit, before, outcome } = query
    const part = { before, limit, isFailed: outcome === 'failed' }
    const rows = await listAttempts(db, organizationId, webhook.id, part)
    return { data: rows.map(toRecord), after: endOf(rows, limit) }
  },
})

function toRecord(row: AttemptRow): z.infer<typeof attemptRecord> {
  return {
    id: row.id,
    type: row.kind,
    device_id: row.device_eui,
    device_name: row.device_name,
    ordinal: row.ordinal,
    at: isoTime(row.attempted_at),
    delivered: row.is_delivered,
    status: row.status,
    duration_ms: row.duration_ms,
    answer: row.answer,
  }
}
