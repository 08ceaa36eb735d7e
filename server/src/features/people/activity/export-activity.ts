import { z } from 'zod'
import { bomField, withMark } from '../../../http/csv.ts'
import { queryInteger } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { chainFormats, exportChain } from './chain-export.ts'

const query = z.object({
  after: queryInteger('after', { min: 0, fallback: 0 }).describe(
    'Only the records behind this position: what came since an earlier export.',
  ),
})

export const exportActivity = endpoint({
  summary: 'The chained records of the activity as CSV, oldest first',
  description: `A text that a spreadsheet would run as a formula begins with an apostrophe, so hashes are
checked on the lines of JSON. A record is chained some seconds after its request.`,
  query: query.extend(bomField),
  isHeavy: true,
  produces: {
    type: 'text/csv; charset=utf-8',
    fileName: 'activity.csv',
    example: chainFormats.csv.header,
  },
  async handle({ query, caller: { organizationId } }, services) {
    const { after } = query
    return withMark(query, exportChain(services, organizationId, { after, format: 'csv' }))
  },
})

export const exportActivityLines = endpoint({
  summary: 'The chained records of the activity as lines of JSON (NDJSON), oldest first',
  description: `Each line is a record with its \`hash\`, and with the hash of the record before it as
\`previous\`. \`hash\` is the SHA-256 of the line without \`hash\`, in the canonical form of RFC 8785.
\`lora-console audit verify --file\` checks such a file (docs/audit.md).`,
  query,
  isHeavy: true,
  produces: {
    type: 'application/x-ndjson; charset=utf-8',
    fileName: 'activity.ndjson',
    example: '{"action":"deleted","address":"192.0.2.7","at":"2026-03-01T12:00:00.000000Z"}\n',
  },
  async handle({ query: { after }, caller: { organizationId } }, services) {
    return exportChain(services, organizationId, { after, format: 'ndjson' })
  },
})
