import { endpoint } from '../core-services.ts'
import * as ruleQueries from './rule-queries.ts'
import { ruleAnswer, ruleNotFound, rulePath, toRuleRecord } from './rule-record.ts'

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
