import { z } from 'zod'
import { kinds } from '../../../http/change-record.ts'
import { withExamples } from '../../../http/examples.ts'
import { isStorable, queryChoice, queryInteger, queryTime } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { type ActivityRow, count, list } from './activity-queries.ts'

const activityRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        at: z.string(),
        kind: z.enum(kinds),
        action: z.string().describe('What was done, as a verb in the past.'),
        subject: z.string().nullable().describe('An EUI, an id, or the key of a network.'),
        name: z.string().nullable().describe('The name before the change.'),
        count: z
          .int()
          .nullable()
          .describe(
            'How many things were changed at once, or how many more requests were refused.',
          ),
        fields: z.array(z.string()).describe('The members of the request; never their values.'),
        user: z.object({ id: z.int(), email: z.string(), name: z.string() }),
        key: z
          .object({ id: z.int(), name: z.string() })
          .nullable()
          .describe('The API key that did it; `user` is then who made the key.'),
        address: z.string().nullable().describe('Where the request came from.'),
        operation: z.string().nullable().describe('The method and the route of the request.'),
        status: z.int().nullable().describe('Of a refused request, the answer; else null.'),
        position: z
          .int()
          .nullable()
          .describe('The position in the chain (docs/audit.md); null until it is chained.'),
      },
      {
        id: 31,
        at: '2026-03-01T12:00:00.000000Z',
        kind: 'device',
        action: 'changed',
        subject: '00AA000000000001',
        name: 'Front door',
        count: null,
        fields: ['device_name'],
        user: { id: 1, email: 'ada@example.com', name: 'Ada Winter' },
        key: null,
        address: '192.0.2.7',
        operation: 'PATCH /devices/:device_id',
        status: null,
        position: 31,
      },
    ),
  )
  .meta({ id: 'Activity' })

/** 0 means none: ids begin with 1. */
const optionalId = (label: string) =>
  queryInteger(label, { min: 1, fallback: 0 }).transform((id) => id || undefined)

export const listActivity = endpoint({
  summary:
    'What members of the organization have changed, and what was refused to them, newest first',
  description: `A request is one line for each kind of change that it made: a batch says how many things it
changed. What the service does by itself, such as calls to networks, is not listed. A refused request
has the kind \`request\` and its \`status\`; refusals that repeat themselves are counted, in one line an
hour. Kept for a year, 100,000 lines at most.`,
  query: z.object({
    kind: queryChoice('kind', kinds).optional(),
    user: optionalId('user'),
    subject: z
      .string()
      .max(255, 'The subject may not be greater than 255 characters.')
      .refine(isStorable, 'The subject contains a character that is not allowed.')
      .optional(),
    outcome: queryChoice('outcome', ['done', 'refused']).optional(),
    since: queryTime('since').optional(),
    until: queryTime('until').optional().meta({ description: 'Before this time.' }),
    limit: queryInteger('limit', { min: 1, max: 200, fallback: 50 }),
    after: optionalId('after'),
  }),
  answer: z.object({
    data: z.array(activityRecord),
    total: z.int().meta({ examples: [1] }),
    after: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
  }),
  async handle({ query, caller: { organizationId } }, { db }) {
    const { kind, user: userId, subject, outcome, since, until, limit, after } = query
    const filter = { kind, userId, subject, outcome, since, until }
    const found = await list(db, organizationId, filter, { after, limit: limit + 1 })
    const total = await count(db, organizationId, filter)
    const rows = found.slice(0, limit)
    const last = found.length > limit ? rows.at(-1) : undefined
    return { data: rows.map(toRecord), total, after: last ? String(last.id) : null }
  },
})

function toRecord(row: ActivityRow): z.infer<typeof activityRecord> {
  const { id, kind, action, subject, name, count, fields } = row
  const { address, operation, status, position } = row
  const user = {
    id: row.user_id,
    email: row.email,
    name: `${row.first_name} ${row.last_name}`.trim(),
  }
  const key = row.key_id === null ? null : { id: row.key_id, name: row.key_name ?? '' }
  const change = { kind, action, subject, name, count, fields }
  const request = { address, operation, status }
  return { id, at: isoTime(row.happened_at), ...change, user, key, ...request, position }
}
