import { z } from 'zod'
import { sealContext } from '../../db/sealed-columns.ts'
import { creationOf } from '../../http/change-record.ts'
import { conflict } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { sealSecrets } from './mqtt-settings.ts'
import { newWebhookSecret } from './signature.ts'
import { checkValues, mergeValues, webhookFields } from './webhook-body.ts'
import * as webhookQueries from './webhook-queries.ts'
import { toWebhookRecord, webhookNotFound, webhookWithSecret } from './webhook-record.ts'

const mostWebhooks = 20

export const createWebhook = endpoint({
  summary: 'Send events to a server of your own',
  description: `Every event is a \`POST\` of JSON, \`{ "type", "timestamp", "data" }\`, signed as [Standard
Webhooks](https://www.standardwebhooks.com) describes. Any 2xx within 10 seconds means delivered; all else is
tried again for a day, with the same \`webhook-id\`. Events of a device come in their order, each at
least once. It begins with the next event: \`replay\` sends earlier uplinks.

Where the address is an MQTT broker (\`mqtts:\`, \`wss:\`), the same JSON is published there with QoS 1,
and delivered with the broker's PUBACK. MQTT 5 carries the three headers as user properties.

An organization has up to ${mostWebhooks} webhooks.`,
  body: z.object(webhookFields),
  status: 201,
  answer: webhookWithSecret,
  failures: [409],
  change: creationOf('webhook'),
  async handle({ body, caller, record }, services) {
    const { db, sealer, now } = services
    const { organizationId } = caller
    const { values, secrets } = mergeValues(sealer, undefined, body)
    await checkValues(services, organizationId, body, { values, secrets })
    const secret = newWebhookSecret()
    const webhook = await db.transaction(async (tx) => {
      if ((await webhookQueries.countLocked(tx, organizationId)) >= mostWebhooks) {
        throw conflict(`The organization has ${mostWebhooks} webhooks already.`)
      }
      const id = await webhookQueries.allotId(tx)
      const sealed = sealer.seal(secret, sealContext('webhookSecret', organizationId, id))
      const sealedLogin = sealSecrets(sealer, secrets, organizationId, id)
      const sealedValues = { sealed, sealedLogin }
      await webhookQueries.insert(tx, organizationId, {
        ...values,
        ...sealedValues,
        id,
        now: now(),
      })
      await record(tx, { data: { id } })
      return webhookQueries.find(tx, organizationId, id)
    })
    if (!webhook) throw webhookNotFound()
    return { data: { ...toWebhookRecord(webhook, caller, now()), secret } }
  },
})
