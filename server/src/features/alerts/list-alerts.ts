import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { queryChoice, queryInteger } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { alertKinds, alertStates } from './alert-kinds.ts'
import * as alertQueries from './alert-queries.ts'
import { alertRecord, toAlertRecord } from './alert-record.ts'

const id = (label: string) => queryInteger(label, { min: 1, fallback: 0 })

export const listAlerts = endpoint({
  summary: 'Alerts, newest first',
  description: 'Closed ones are kept for a year.',
  query: z.object({
    state: queryChoice('state', alertStates).optional(),
    kind: queryChoice('kind', alertKinds).optional(),
    rule: id('rule').describe('The id of a rule.'),
    device: id('device').describe('The id of a device.'),
    gateway: id('gateway').describe('The id of a gateway.'),
    acknowledged: queryChoice('acknowledged', ['yes', 'no']).optional(),
    after: id('after').describe('The `after` of the answer before: the further ones.'),
    limit: queryInteger('limit', { min: 1, max: 200, fallback: 50 }),
  }),
  answer: z.object({
    data: z.array(alertRecord),
    ...withExamples(
      {
        open: z.int().describe('Open alerts of the organization, whatever the filters.'),
        unacknowledged: z.int().describe('Those of them that nobody has acknowledged.'),
        after: z.int().nullable().describe('The `after` of the next request; null at the end.'),
      },
      { open: 3, unacknowledged: 1, after: null },
    ),
  }),
  async handle({ query, caller: { organizationId } }, { db }) {
    const { state, kind, rule, device, gateway, acknowledged, after, limit } = query
    const filter = {
      state,
      kind,
      rule: rule || undefined,
      device: device || undefined,
      gateway: gateway || undefined,
      isAcknowledged: acknowledged === undefined ? undefined : acknowledged === 'yes',
    }
    const [rows, counts] = await Promise.all([
      alertQueries.list(db, organizationId, filter, { before: after || undefined, limit }),
      alertQueries.countOpen(db, organizationId),
    ])
    const last = rows.length < limit ? undefined : rows.at(-1)
    return { data: rows.map(toAlertRecord), ...counts, after: last?.id ?? null }
  },
})
