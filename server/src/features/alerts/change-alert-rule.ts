import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { endpoint } from '../core-services.ts'
import { changeFields, readValues } from './rule-body.ts'
import * as ruleQueries from './rule-queries.ts'
import { ruleAnswer, ruleNotFound, rulePath, toRuleRecord } from './rule-record.ts'
import { lookAnew } from './watch-queries.ts'
import type { AlertServices } from './watcher.ts'

export const changeAlertRule = endpoint({
  summary: 'Change an alert rule; what is left out stays',
  description:
    'Its kind stays. Open alerts are looked at with the new settings; those of a rule that is switched off end, and nobody is told.',
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
      const values = await readValues(tx, organizationId, { kind, stored, body })
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
