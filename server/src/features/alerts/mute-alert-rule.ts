import { changeOf } from '../../http/change-record.ts'
import { endpoint } from '../core-services.ts'
import { muteBody, readUntil } from './mute-body.ts'
import * as ruleQueries from './rule-queries.ts'
import { ruleAnswer, ruleNotFound, rulePath, toRuleRecord } from './rule-record.ts'
import { lookAnew } from './watch-queries.ts'
import type { AlertServices } from './watcher.ts'

export const muteAlertRule = endpoint({
  summary: 'Tell nobody of a rule until a time',
  description:
    'Alerts open and close as usual. Those that are still open at the end of the mute are told then.',
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
