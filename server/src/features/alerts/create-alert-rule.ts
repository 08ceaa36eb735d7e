import { z } from 'zod'
import { creationOf } from '../../http/change-record.ts'
import { conflict } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { readValues, ruleFields } from './rule-body.ts'
import * as ruleQueries from './rule-queries.ts'
import { ruleAnswer, ruleNotFound, toRuleRecord } from './rule-record.ts'
import { lookAnew } from './watch-queries.ts'
import type { AlertServices } from './watcher.ts'

const mostRules = 50

export const createAlertRule = endpoint({
  summary: 'Watch devices or gateways, and be told',
  description: `What each kind looks for, with its \`settings\`:

- \`device_silent\`: no message for \`missed\` (3) of the device's own usual intervals, at least
  \`at_least_minutes\` (60) and at most \`at_most_minutes\` (4320). The interval is the median of its
  last 20; one and a half times the longest of nine in ten counts if that is more, so a sensor that
  sends in bursts is not silent between two of them.
- \`gateway_silent\`: the same for gateways, by their traffic of the week before (10, 15, 1440).
- \`low_battery\`: \`volts\` (2.8) or less, or empty within \`days\` (60) by its trend.
- \`tamper\`: the case is open.
- \`threshold\`: the number \`key\` of \`decoded_object\` is \`above\` or \`below\` a limit, for \`minutes\`
  (0) or longer. It is over when it is back by \`margin\` (0).
- \`registration_error\`: a network has refused a device or a gateway.

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
    const values = await readValues(db, organizationId, { kind: body.kind, body })
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
