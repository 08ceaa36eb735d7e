import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { endpoint } from '../core-services.ts'
import * as ruleQueries from './rule-queries.ts'
import { ruleRecord, toRuleRecord } from './rule-record.ts'
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
  async handle({ caller }, { db, now, alertMails }: AlertServices) {
    const rules = await ruleQueries.list(db, caller.organizationId)
    return { data: rules.map((rule) => toRuleRecord(rule, now())), can_mail: alertMails.canSend }
  },
})
