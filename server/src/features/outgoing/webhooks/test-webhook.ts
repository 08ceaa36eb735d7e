import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { createLimitPerKey } from '../../../http/concurrency-limit.ts'
import { tooManyRequests } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTimeOf } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { announceAgain } from './discovery-queries.ts'
import { createDelivery } from './portion.ts'
import { insertTest } from './settle-queries.ts'
import * as webhookQueries from './webhook-queries.ts'
import { webhookNotFound, webhookPath } from './webhook-record.ts'
import type { WebhookServices } from './webhook-sender.ts'

/** Receivers may take their time, and other requests of the organization go on meanwhile. */
const refuse = () => tooManyRequests(10)
const ofOrganizations = createLimitPerKey({ atOnce: 2, waiting: 0, refuse })
const ofTenants = createLimitPerKey({ atOnce: 8, waiting: 0, refuse })

const noDevice = {
  kind: 'test',
  device: { device_eui: '', device_name: '', device_type_id: 0, network: '', tags: {} },
}

export const testWebhook = endpoint({
  summary: 'Send a test event now, and return the answer of the receiver',
  description:
    'Its `type` is `test`. It goes ahead of everything that waits, also while the webhook is paused, and is not tried again. With Home Assistant discovery, each device is announced again before its next uplink.',
  params: webhookPath,
  answer: z.object({
    data: z.object(
      withExamples(
        {
          delivered: z.boolean(),
          status: z
            .int()
            .nullable()
            .describe(
              'Of HTTP, or the reason code of MQTT. Null where the receiver did not answer.',
            ),
          duration_ms: z.int(),
          answer: z.string().nullable().describe('Its beginning, or why there is none.'),
        },
        { delivered: true, status: 200, duration_ms: 42, answer: 'ok' },
      ),
    ),
  }),
  failures: [404, 429],
  change: 'untold',
  async handle({ params, caller }, services: WebhookServices) {
    const { db, now } = services
    const { organizationId, tenantId } = caller
    const webhook = await webhookQueries.find(db, organizationId, params.webhook_id)
    if (!webhook) throw webhookNotFound()
    const timestamp = isoTimeOf(now())
    const data = { webhook_id: webhook.id, name: webhook.name }
    const body = JSON.stringify({ type: 'test', timestamp, data })
    const message = { id: `test_${organizationId}_${randomUUID()}`, body, about: noDevice }
    const send = createDelivery(services, webhook, { isTest: true })
    const attempt = await ofOrganizations.run(organizationId, () =>
      ofTenants.run(tenantId, () => send(message)),
    )
    await db.transaction((tx) => insertTest(tx, webhook, attempt))
    if (webhook.mqtt?.discovery) await announceAgain(db, webhook)
    return {
      data: {
        delivered: attempt.isDelivered,
        status: attempt.status ?? null,
        duration_ms: attempt.durationMs,
        answer: attempt.answer || null,
      },
    }
  },
})
