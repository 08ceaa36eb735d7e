import { z } from 'zod'
import { changeOf, creationOf } from '../../../http/change-record.ts'
import { conflict } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../events/announce.ts'
import { changeFields, mostRules, muteBody, readUntil, ruleFields } from './rule-body.ts'
import * as ruleQueries from './rule-queries.ts'
import { ruleAnswer, ruleNotFound, rulePath, ruleRecord, toRuleRecord } from './rule-record.ts'
import { readValues } from './rule-values.ts'
import { lookAnew } from './watch-queries.ts'
import type { AlertServices } from './watcher.ts'

export const listAlertRules = endpoint({
  summary: 'The alert rules of the organization',
  answer: z.object({
    data: z.array(ruleRecord),
    ...withExamples(
      { can_mail: z.boolean().describe('Whether the service has a mail server (`SMTP_URL`).') },
      { can_mail: true },
    ),
  }),
  async handle({ caller }, { db, now, alertMessages }: AlertServices) {
    const rules = await ruleQueries.list(db, caller.organizationId)
    return { data: rules.map((rule) => toRuleRecord(rule, now())), can_mail: alertMessages.canSend }
  },
})

export const showAlertRule = endpoint({
  summary: 'One alert rule',
  params: rulePath,
  answer: ruleAnswer,
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const rule = await ruleQueries.find(db, caller.organizationId, params.rule_id)
    if (!rule) throw ruleNotFound()
    return { data: toRuleRecord(rule, now()) }
  },
})

export const createAlertRule = endpoint({
  summary: 'Watch devices or gateways, and be notified',
  description: `What each kind looks for, with its \`settings\`:

- \`device_silent\`: no message for \`missed\` (3) of the device's own usual intervals, at least
  \`at_least_minutes\` (60) and at most \`at_most_minutes\` (null: as the verdict of the device, the
  organization's window where the interval is not known). The interval is the median of its last 20; one and a half times the longest of nine in ten counts if that is more, so a sensor that
  sends in bursts is not silent between two of them.
- \`gateway_silent\`: the same for gateways, by their traffic of the week before (10, 15, 1440).
- \`gateway_uptime\`: a gateway was online for less than \`percent\` (99) of the last \`days\` (7).
- \`low_battery\`: \`volts\` (2.8) or \`percent\` (15) or less, or empty within \`days\` (60) by its trend.
- \`tamper\`: the case is open.
- \`threshold\`: the number \`key\` of \`decoded_object\` is \`above\` or \`below\` a limit, for \`minutes\`
  (0) or longer, in the unit that its measurement has. It is over when it is back by \`margin\` (0).
- \`condition\`: \`conditions\` (up to 5) on the values of one message, of which \`all\` or \`any\`
  (\`match\`) are met, for \`minutes\` (0) or longer, only \`outside\` of some hours. Each has a
  \`measurement\` or a \`quantity\`, \`is\` (\`above\`, \`below\`, \`equal\`, \`not_equal\`) and a
  \`value\`; or \`rises\` or \`falls\` by more than it \`within_minutes\` (60); or is \`higher\`, \`lower\` or
  \`differs\` by more than it from that of \`than\`, a \`device\` or the average of a \`group\`. With \`times\`,
  only when it happens more often within \`times_minutes\` (60). It is over when they are not met any more.
- \`registration_error\`: a network has refused a device or a gateway.

With \`actions\`, a rule also sends a downlink or calls a webhook when an alert opens or closes, up to
\`actions_per_hour\` (10) times.

Recipients get one mail for all that happens to a rule within a minute, and the next one five
minutes later at the earliest. Webhooks with the event \`alert\` get each alert when it opens and
closes. An organization has up to ${mostRules} rules.`,
  body: z.object(ruleFields),
  status: 201,
  answer: ruleAnswer,
  failures: [409],
  change: creationOf('alert_rule'),
  async handle({ body, caller, record }, { db, now, alertWatcher }: AlertServices) {
    const { organizationId, userId } = caller
    const values = await readValues(db, caller, { kind: body.kind, body })
    const rule = await db.transaction(async (tx) => {
      if ((await ruleQueries.countLocked(tx, organizationId)) >= mostRules) {
        throw conflict(`The organization has ${mostRules} alert rules already.`)
      }
      const id = await ruleQueries.insert(tx, organizationId, { ...values, userId, now: now() })
      await lookAnew(tx, organizationId, now())
      await record(tx, { data: { id } })
      return ruleQueries.find(tx, organizationId, id)
    })
    if (!rule) throw ruleNotFound()
    alertWatcher.wake()
    return { data: toRuleRecord(rule, now()) }
  },
})

export const changeAlertRule = endpoint({
  summary: 'Change an alert rule; what is left out stays',
  description:
    'Its kind cannot change. Open alerts are checked with the new settings; those of a rule that is switched off end without a notification.',
  params: rulePath,
  body: z.object(changeFields),
  answer: ruleAnswer,
  failures: [404],
  change: changeOf('alert_rule', 'changed'),
  async handle({ params, body, caller, record }, { db, now, alertWatcher }: AlertServices) {
    const { organizationId } = caller
    const rule = await db.transaction(async (tx) => {
      await ruleQueries.countLocked(tx, organizationId)
      const stored = await ruleQueries.find(tx, organizationId, params.rule_id)
      if (!stored) throw ruleNotFound()
      const { id, kind } = stored
      const values = await readValues(tx, caller, { kind, stored, body })
      await ruleQueries.update(tx, organizationId, { ...values, id, now: now() })
      await lookAnew(tx, organizationId, now())
      if (!values.is_active) await ruleQueries.endAlerts(tx, organizationId, { id, now: now() })
      await record(tx)
      return ruleQueries.find(tx, organizationId, id)
    })
    if (!rule) throw ruleNotFound()
    alertWatcher.wake()
    return { data: toRuleRecord(rule, now()) }
  },
})

export const deleteAlertRule = endpoint({
  summary: 'Delete an alert rule; its open alerts end, and the history stays',
  params: rulePath,
  status: 204,
  failures: [404],
  change: changeOf('alert_rule', 'deleted'),
  async handle({ params, caller: { organizationId }, record }, services) {
    const { db, now } = services
    const rule = { id: params.rule_id, now: now() }
    await db.transaction(async (tx) => {
      await ruleQueries.countLocked(tx, organizationId)
      if (!(await ruleQueries.remove(tx, organizationId, rule))) throw ruleNotFound()
      await lookAnew(tx, organizationId, rule.now)
      await ruleQueries.endAlerts(tx, organizationId, rule)
      await record(tx)
    })
    announce(services, organizationId, { kind: 'alert' })
  },
})

export const muteAlertRule = endpoint({
  summary: 'Tell nobody of a rule until a time',
  description:
    'Alerts open and close as usual. Members are notified of those that are still open when the mute ends.',
  params: rulePath,
  body: muteBody,
  answer: ruleAnswer,
  failures: [404],
  change: changeOf('alert_rule', 'muted'),
  async handle({ params, body, caller, record }, { db, now, alertWatcher }: AlertServices) {
    const { organizationId } = caller
    const until = readUntil(body, now())
    const rule = await db.transaction(async (tx) => {
      await ruleQueries.countLocked(tx, organizationId)
      await ruleQueries.mute(tx, organizationId, { id: params.rule_id, until, now: now() })
      await lookAnew(tx, organizationId, now())
      const muted = await ruleQueries.find(tx, organizationId, params.rule_id)
      if (!muted) throw ruleNotFound()
      await record(tx)
      return muted
    })
    alertWatcher.wake()
    return { data: toRuleRecord(rule, now()) }
  },
})
