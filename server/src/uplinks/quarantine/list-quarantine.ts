import { z } from 'zod'
import {
  accountParams,
  accountQueryFields,
  methodOf,
} from '../../features/accounts/network-accounts/account-record.ts'
import { endpoint } from '../../features/core-services.ts'
import { isStorable, queryInteger, searchText } from '../../http/fields.ts'
import { isoTime } from '../../http/timestamps.ts'
import { euiPart } from '../../lora/eui.ts'
import {
  countEuis,
  type EuiCursor,
  listEuis,
  type QuarantinedEui,
} from './quarantine-list-queries.ts'
import { findAccountId, quarantinedEui, toQuarantinedEui } from './quarantine-record.ts'

const cursorPattern = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z)_(.*)$/
const wrongCursor = 'The after must be the after of an earlier answer.'

const after = z
  .string({ error: wrongCursor })
  .refine((text) => readCursor(text) !== undefined, { error: wrongCursor, abort: true })
  .transform(readCursor)
  .optional()
  .meta({ type: 'string', description: '`after` of the page before.' })

function readCursor(text: string): EuiCursor | undefined {
  const [, receivedAt = '', eui = ''] = cursorPattern.exec(text) ?? []
  const isTime = !Number.isNaN(Date.parse(receivedAt))
  return isTime && isStorable(eui) ? { receivedAt, eui } : undefined
}

function writeCursor({ last_received_at, device_eui }: QuarantinedEui): string {
  return `${isoTime(last_received_at)}_${device_eui}`
}

export const listQuarantine = endpoint({
  summary: 'The EUIs with messages in the quarantine of an account',
  description:
    'The EUI that was heard last comes first. `total` counts EUIs, `messages` what they have sent. Register a device, or adopt it (`POST /network-accounts/{network}/reconcile`), and its uplinks are stored with the times at which they came. After 30 days messages are removed.',
  params: accountParams,
  query: z.object({
    ...accountQueryFields,
    search: searchText(),
    limit: queryInteger('limit', { min: 1, max: 200, fallback: 50 }),
    after,
  }),
  answer: z.object({
    data: z.array(quarantinedEui),
    total: z.int().meta({ examples: [1] }),
    messages: z.int().meta({ examples: [12] }),
    after: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
  }),
  failures: [404],
  async handle({ params, query, caller: { organizationId } }, { db }) {
    const id = await findAccountId(db, organizationId, params.network, methodOf(query))
    const { limit } = query
    const search = euiPart(query.search).toUpperCase()
    const page = { search, after: query.after, limit: limit + 1 }
    const found = await listEuis(db, organizationId, id, page)
    const { euis, messages } = await countEuis(db, organizationId, id, search)
    const rows = found.slice(0, limit)
    const last = found.length > limit ? rows.at(-1) : undefined
    return {
      data: rows.map(toQuarantinedEui),
      total: euis,
      messages,
      after: last ? writeCursor(last) : null,
    }
  },
})
