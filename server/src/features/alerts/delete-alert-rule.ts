import { changeOf } from '../../http/change-record.ts'
import { endpoint } from '../core-services.ts'
import { announce } from '../events/announce.ts'
import * as ruleQueries from './rule-queries.ts'
import { ruleNotFound, rulePath } from './rule-record.ts'
import { lookAnew } from './watch-queries.ts'

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
