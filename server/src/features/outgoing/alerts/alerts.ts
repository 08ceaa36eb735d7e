import { z } from 'zod'
import { changeBy, dataOf, textOf } from '../../../http/change-record.ts'
import { invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import {
  largestInteger,
  optionalLines,
  queryChoice,
  queryInteger,
  queryTime,
} from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../events/announce.ts'
import { alertKinds, alertStates, severities } from './alert-kinds.ts'
import * as alertQueries from './alert-queries.ts'
import {
  alertAnswer,
  alertNotFound,
  alertPath,
  alertRecord,
  toAlertRecord,
} from './alert-record.ts'
import { readTimeAhead } from './rule-body.ts'
import { findMembers } from './rule-queries.ts'
import { lockWatch } from './watch-queries.ts'

const id = (label: string) => queryInteger(label, { min: 1, fallback: 0 })

export const listAlerts = endpoint({
  summary: 'Alerts, newest or worst first',
  description: 'Closed ones are kept for a year.',
  query: z.object({
    state: queryChoice('state', alertStates).optional(),
    kind: queryChoice('kind', alertKinds).optional(),
    rule: id('rule').describe('The id of a rule.'),
    device: id('device').describe('The id of a device.'),
    gateway: id('gateway').describe('The id of a gateway.'),
    acknowledged: queryChoice('acknowledged', ['yes', 'no']).optional(),
    severity: queryChoice('severity', severities).optional(),
    assignee: id('assignee').describe('The id of the member who looks after it.'),
    snoozed: queryChoice('snoozed', ['yes', 'no']).optional(),
    sort: queryChoice('sort', ['newest', 'severity'])
      .optional()
      .describe('`severity`: the worst first, and of equals the newest.'),
    after: id('after').describe('The `after` of the answer before: the further ones.'),
    limit: queryInteger('limit', { min: 1, max: 200, fallback: 50 }),
  }),
  answer: z.object({
    data: z.array(alertRecord),
    ...withExamples(
      {
        open: z.int().describe('Open alerts of the organization, whatever the filters.'),
        unacknowledged: z
          .int()
          .describe('Those of them that nobody has acknowledged, without the snoozed ones.'),
        snoozed: z.int().describe('Those of them that are snoozed.'),
        after: z.int().nullable().describe('The `after` of the next request; null at the end.'),
      },
      { open: 3, unacknowledged: 1, snoozed: 0, after: null },
    ),
  }),
  async handle({ query, caller: { organizationId } }, { db, now }) {
    const { state, kind, rule, device, gateway, acknowledged, after, limit } = query
    const { severity, assignee, snoozed, sort } = query
    const filter = {
      state,
      kind,
      rule: rule || undefined,
      device: device || undefined,
      gateway: gateway || undefined,
      isAcknowledged: isYes(acknowledged),
      severity,
      assignee: assignee || undefined,
      isSnoozed: isYes(snoozed),
    }
    const page = { after: after || undefined, limit, isWorstFirst: sort === 'severity', now: now() }
    const [rows, counts] = await Promise.all([
      alertQueries.list(db, organizationId, filter, page),
      alertQueries.countOpen(db, organizationId, now()),
    ])
    const last = rows.length < limit ? undefined : rows.at(-1)
    return { data: rows.map(toAlertRecord), ...counts, after: last?.id ?? null }
  },
})

function isYes(choice: 'yes' | 'no' | undefined): boolean | undefined {
  return choice === undefined ? undefined : choice === 'yes'
}

export const showAlert = endpoint({
  summary: 'One alert',
  params: alertPath,
  answer: alertAnswer,
  failures: [404],
  async handle({ params, caller }, { db }) {
    const alert = await alertQueries.find(db, caller.organizationId, params.alert_id)
    if (!alert) throw alertNotFound()
    return { data: toAlertRecord(alert) }
  },
})

const noteField = withExamples(
  { note: optionalLines('note', 1000).describe('For colleagues. An alert has up to 50.') },
  { note: 'The roof is being repaired until Friday.' },
)

export const acknowledgeAlert = endpoint({
  summary: 'Say that somebody has seen an alert',
  description: 'The first acknowledgement stays. The alert is open until its cause has ended.',
  params: alertPath,
  body: z.object(noteField),
  answer: alertAnswer,
  failures: [404],
  change: changeBy((done) => ({
    kind: 'alert',
    action: 'acknowledged',
    subject: textOf(dataOf(done).id),
    name: textOf(dataOf(done).rule_name),
  })),
  async handle({ params, body, caller, record }, services) {
    const { db, now } = services
    const { organizationId, userId } = caller
    const chosen = { ids: [params.alert_id], rule: undefined }
    const by = { userId, note: body.note ?? null, now: now() }
    const data = await db.transaction(async (tx) => {
      await alertQueries.acknowledge(tx, organizationId, chosen, by)
      const alert = await alertQueries.find(tx, organizationId, params.alert_id)
      if (!alert) throw alertNotFound()
      const data = toAlertRecord(alert)
      await record(tx, { data })
      return data
    })
    announce(services, organizationId, { kind: 'alert', id: data.id })
    return { data }
  },
})

const assigneeMessage = 'The assignee must be the id of a member, or null.'

export const changeAlert = endpoint({
  summary: 'Take an alert, give it to a colleague, snooze it or close it',
  description:
    'What is left out stays. An alert with an assignee counts as acknowledged. Nobody is told of a snoozed one; when the time is over and it is still open, it is no longer acknowledged and everybody is told again. One that is closed while its cause lasts does not open again before that ends.',
  params: alertPath,
  body: z.object(
    withExamples(
      {
        assignee: z
          .int({ error: assigneeMessage })
          .min(1, assigneeMessage)
          .max(largestInteger, assigneeMessage)
          .nullish(),
        snoozed_until: queryTime('snoozed_until').nullish().describe('Null ends it.'),
        note: optionalLines('note', 1000).describe('For colleagues; null deletes the last one.'),
        state: z.literal('closed', { error: 'The state must be closed.' }).optional(),
      },
      { assignee: 1, snoozed_until: null, note: 'On my way.' },
    ),
  ),
  answer: alertAnswer,
  failures: [404],
  change: changeBy((done) => ({
    kind: 'alert',
    action: done.body.state === 'closed' ? 'closed' : 'changed',
    subject: textOf(dataOf(done).id),
    name: textOf(dataOf(done).rule_name),
  })),
  async handle({ params, body, caller, record }, services) {
    const { db, now } = services
    const { organizationId, userId } = caller
    const { assignee, note, state, snoozed_until: until } = body
    const snoozedUntil = until && readTimeAhead('snoozed_until', until, now())
    const data = await db.transaction(async (tx) => {
      const found = await alertQueries.find(tx, organizationId, params.alert_id)
      if (!found) throw alertNotFound()
      if (assignee && !(await findMembers(tx, organizationId, [assignee])).has(assignee)) {
        const message = 'The assignee must be a member who is not limited to a group.'
        throw invalid({ assignee: [message] })
      }
      const chosen = { assignee, snoozedUntil, note, isClosed: state === 'closed' }
      await alertQueries.change(tx, organizationId, params.alert_id, {
        ...chosen,
        userId,
        now: now(),
      })
      const alert = await alertQueries.find(tx, organizationId, params.alert_id)
      if (!alert) throw alertNotFound()
      const data = toAlertRecord(alert)
      await record(tx, { data })
      return data
    })
    announce(services, organizationId, { kind: 'alert', id: data.id })
    return { data }
  },
})

const mostIds = 1000
const idsMessage = `The ids must be up to ${mostIds} ids of alerts.`
const ruleMessage = 'The rule must be an id.'

export const acknowledgeAlerts = endpoint({
  summary: 'Acknowledge several alerts at once',
  description: 'Those of `ids`, or all open ones of a `rule`.',
  body: z.object({
    ...withExamples(
      {
        ids: z
          .array(z.int({ error: idsMessage }).min(1, idsMessage), { error: idsMessage })
          .max(mostIds, idsMessage)
          .nullish(),
        rule: z
          .int({ error: ruleMessage })
          .min(1, ruleMessage)
          .max(largestInteger, ruleMessage)
          .nullish(),
      },
      { ids: null, rule: 4 },
    ),
    ...noteField,
  }),
  answer: z.object({
    data: z.object(withExamples({ acknowledged: z.int() }, { acknowledged: 12 })),
  }),
  change: changeBy((done) => {
    const count = Number(dataOf(done).acknowledged ?? 0)
    return count > 0 ? { kind: 'alert', action: 'acknowledged', count } : undefined
  }),
  async handle({ body, caller, record }, services) {
    const { db, now } = services
    const { organizationId, userId } = caller
    const chosen = { ids: body.ids ?? undefined, rule: body.rule ?? undefined }
    if ((chosen.ids === undefined) === (chosen.rule === undefined)) {
      throw invalid({ ids: ['Send either ids or a rule.'] })
    }
    const by = { userId, note: body.note ?? null, now: now() }
    const acknowledged = await db.transaction(async (tx) => {
      await lockWatch(tx, organizationId)
      const acknowledged = await alertQueries.acknowledge(tx, organizationId, chosen, by)
      await record(tx, { data: { acknowledged } })
      return acknowledged
    })
    if (acknowledged > 0) announce(services, organizationId, { kind: 'alert' })
    return { data: { acknowledged } }
  },
})
