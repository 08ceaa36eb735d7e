import { z } from 'zod'
import { sealContext } from '../../db/sealed-columns.ts'
import { changeOf } from '../../http/change-record.ts'
import { withExamples } from '../../http/examples.ts'
import { endpoint } from '../core-services.ts'
import { newWebhookSecret } from './signature.ts'
import * as webhookQueries from './webhook-queries.ts'
import {
  toWebhookRecord,
  webhookNotFound,
  webhookPath,
  webhookWithSecret,
} from './webhook-record.ts'
import { rotate } from './webhook-state-queries.ts'

const usualHours = 24
const mostHours = 168
const message = `The overlap hours must be a whole number from 0 to ${mostHours}.`

export const rotateWebhookSecret = endpoint({
  summary: 'Make another secret; messages are signed with both for a while',
  description: `For \`overlap_hours\` (${usualHours} by default) each message has two signatures, so the receiver
can change at any time. With 0, the old secret ends at once. An earlier one ends in any case.`,
  params: webhookPath,
  body: z.object(
    withExamples(
      {
        overlap_hours: z.int({ error: message }).min(0, message).max(mostHours, message).optional(),
      },
      { overlap_hours: usualHours },
    ),
  ),
  answer: webhookWithSecret,
  failures: [404],
  change: changeOf('webhook', 'given a new secret'),
  async handle({ params, body, caller, record }, { db, sealer, now }) {
    const { organizationId } = caller
    const hours = body.overlap_hours ?? usualHours
    const secret = newWebhookSecret()
    const webhook = await db.transaction(async (tx) => {
      const stored = await webhookQueries.lock(tx, organizationId, params.webhook_id)
      if (!stored) throw webhookNotFound()
      const keys = [organizationId, stored.id] as const
      const former = sealer.open(stored.sealed_secret, sealContext('webhookSecret', ...keys))
      await rotate(tx, organizationId, {
        id: stored.id,
        sealed: sealer.seal(secret, sealContext('webhookSecret', ...keys)),
        sealedFormer: sealer.seal(former, sealContext('formerWebhookSecret', ...keys)),
        until: new Date(now().getTime() + hours * 60 * 60 * 1000),
        now: now(),
      })
      await record(tx)
      return webhookQueries.find(tx, organizationId, stored.id)
    })
    if (!webhook) throw webhookNotFound()
    return { data: { ...toWebhookRecord(webhook, caller, now()), secret } }
  },
})
