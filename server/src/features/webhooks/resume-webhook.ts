import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { withExamples } from '../../http/examples.ts'
import { optionalBoolean } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import * as webhookQueries from './webhook-queries.ts'
import { toWebhookRecord, webhookAnswer, webhookNotFound, webhookPath } from './webhook-record.ts'
import type { WebhookServices } from './webhook-sender.ts'
import { resume } from './webhook-state-queries.ts'

export const resumeWebhook = endpoint({
  summary: 'Go on with a webhook that was paused or disabled, or try a failing one at once',
  description:
    'Everything since is sent, in its order, as long as the uplinks are kept. With `skip`, it begins with the next event, and what waits becomes dead letters.',
  params: webhookPath,
  body: z.object(withExamples({ skip: optionalBoolean('skip') }, { skip: false })),
  answer: webhookAnswer,
  failures: [404],
  change: changeOf('webhook', 'resumed'),
  async handle({ params, body, caller, record }, { db, now, webhookSender }: WebhookServices) {
    const { organizationId } = caller
    const webhook = await db.transaction(async (tx) => {
      const change = { id: params.webhook_id, now: now(), skips: body.skip ?? false }
      await resume(tx, organizationId, change)
      const resumed = await webhookQueries.find(tx, organizationId, params.webhook_id)
      if (!resumed) throw webhookNotFound()
      await record(tx)
      return resumed
    })
    webhookSender.wake()
    return { data: toWebhookRecord(webhook, caller, now()) }
  },
})
