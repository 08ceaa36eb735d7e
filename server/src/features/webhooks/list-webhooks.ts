import { z } from 'zod'
import { endpoint } from '../core-services.ts'
import * as webhookQueries from './webhook-queries.ts'
import { toWebhookRecord, webhookRecord } from './webhook-record.ts'

export const listWebhooks = endpoint({
  summary: 'The webhooks of the organization, with how each of them does',
  answer: z.object({ data: z.array(webhookRecord) }),
  async handle({ caller }, { db, now }) {
    const webhooks = await webhookQueries.list(db, caller.organizationId)
    return { data: webhooks.map((webhook) => toWebhookRecord(webhook, caller, now())) }
  },
})
