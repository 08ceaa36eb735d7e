import { sealContext } from '../../db/sealed-columns.ts'
import type { CoreServices } from '../core-services.ts'
import { type ClaimedWebhook, claim, type DueWebhook, release } from './claim-queries.ts'
import { gatherPortion } from './gather.ts'
import type { Attempt, Poster } from './post-message.ts'
import { sendPortion } from './send-portion.ts'
import { insertAttempts, keep, makeDue, noteDelivered, settleWebhook } from './settle-queries.ts'
import { type Settlement, settlePortion } from './settlement.ts'
import { signMessage } from './signature.ts'
import type { StoredWebhook } from './webhook-queries.ts'

export interface PortionServices
  extends Pick<CoreServices, 'db' | 'sealer' | 'now' | 'presence' | 'log' | 'tracer'> {
  poster: Poster
}

/** Sends what a webhook has to send now, up to some hundred events. Holds no connection meanwhile. */
export async function workPortion(
  services: PortionServices,
  due: DueWebhook,
  isClosed: () => boolean,
): Promise<void> {
  const { db, now } = services
  const webhook = await claim(db, due, { now: now(), presence: services.presence })
  if (!webhook) return
  try {
    await sendClaimed(services, webhook, isClosed)
  } catch (error) {
    await release(db, webhook).catch(() => undefined)
    throw error
  }
}

async function sendClaimed(
  services: PortionServices,
  webhook: ClaimedWebhook,
  isClosed: () => boolean,
): Promise<void> {
  const { db, now } = services
  const portion = await gatherPortion(db, webhook, now())
  const send = signedPoster(services, webhook)
  const done = await sendPortion(portion.events, {
    failures: webhook.failures,
    isProbe: portion.isProbe,
    isClosed,
    post: (event) => send({ id: event.id, body: event.body() }),
  })
  await settle(services, webhook, settlePortion(webhook, portion, done, now()))
}

interface Content {
  id: string
  body: string
}

type Signer = Pick<PortionServices, 'sealer' | 'now' | 'poster' | 'tracer'>

/** Opens the secrets once for many messages. */
function signedPoster(services: Signer, webhook: StoredWebhook) {
  const secrets = openSecrets(services, webhook)
  return ({ id, body }: Content): Promise<Attempt> => {
    const at = services.now()
    const timestamp = Math.floor(at.getTime() / 1000)
    const headers = signMessage({ id, timestamp, body }, secrets)
    const { organization_id: organizationId, id: webhookId } = webhook
    return services.tracer.run(
      {
        ...{ name: 'deliver webhook', kind: 'client' },
        attributes: {
          'lora.organization.id': organizationId,
          'lora.webhook.id': webhookId,
          'messaging.message.id': id,
        },
      },
      async (span) => {
        const attempt = await services.poster.post({ url: webhook.url, headers, body }, at)
        span.set({ 'http.response.status_code': attempt.status })
        if (!attempt.isDelivered) span.fail(String(attempt.status ?? 'unreachable'))
        return attempt
      },
    )
  }
}

export function postSigned(
  services: Signer,
  webhook: StoredWebhook,
  content: Content,
): Promise<Attempt> {
  return signedPoster(services, webhook)(content)
}

/** The present secret, and the former one while it is valid. */
function openSecrets(
  { sealer, now }: Pick<PortionServices, 'sealer' | 'now'>,
  webhook: StoredWebhook,
): string[] {
  const { organization_id, id, sealed_former_secret: former, former_until: until } = webhook
  const secrets = [
    sealer.open(webhook.sealed_secret, sealContext('webhookSecret', organization_id, id)),
  ]
  if (former && until !== null && Date.parse(until) > now().getTime()) {
    secrets.push(sealer.open(former, sealContext('formerWebhookSecret', organization_id, id)))
  }
  return secrets
}

async function settle(
  { db, now, log }: PortionServices,
  webhook: ClaimedWebhook,
  settlement: Settlement,
): Promise<void> {
  const isStored = await db.transaction(async (tx) => {
    if (!(await settleWebhook(tx, webhook, settlement, now()))) return false
    await noteDelivered(tx, webhook, settlement)
    await keep(tx, webhook, settlement.kept, now())
    if (settlement.isBack) await makeDue(tx, webhook, now())
    if (settlement.sent.length > 0) await insertAttempts(tx, webhook, settlement.sent)
    return true
  })
  const { organization_id: organizationId, id } = webhook
  if (!isStored)
    log.info({ organizationId, webhook: id }, 'a webhook was deleted while it was sent')
  if (settlement.disabled) {
    log.warn({ organizationId, webhook: id, reason: settlement.disabled }, 'a webhook is disabled')
  }
}
