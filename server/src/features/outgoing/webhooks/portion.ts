import { sealContext } from '../../../db/secret-keys.ts'
import type { CoreServices } from '../../core-services.ts'
import type { BrokerPoster } from './broker-poster.ts'
import { type ClaimedWebhook, claim, type DueWebhook, release } from './claim-queries.ts'
import { type Announcer, createAnnouncer, isComparisonDue, withdrawStale } from './discovery.ts'
import { rememberAnnounced } from './discovery-queries.ts'
import { gatherPortion } from './gather.ts'
import { apart, type TopicSource, toBrokerTarget, topicOf } from './mqtt-delivery.ts'
import { type Attempt, type Poster, signMessage } from './post-message.ts'
import { sendPortion } from './send-portion.ts'
import { insertAttempts, keep, makeDue, noteDelivered, settleWebhook } from './settle-queries.ts'
import { type Settlement, settlePortion } from './settlement.ts'
import type { StoredWebhook } from './webhook-queries.ts'

export interface PortionServices
  extends Pick<CoreServices, 'db' | 'sealer' | 'now' | 'presence' | 'log' | 'tracer'> {
  poster: Poster
  brokerPoster: BrokerPoster
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
  if (isComparisonDue(webhook, now())) await withdrawStale(services, webhook)
  const portion = await gatherPortion(db, webhook, now())
  const send = createDelivery(services, webhook)
  const announcer = await createAnnouncer(services, webhook, portion.events)
  const done = await sendPortion(portion.events, {
    failures: webhook.failures,
    isProbe: portion.isProbe,
    isClosed,
    post: async (event) =>
      (await announcer?.announce(event)) ??
      send({ id: event.id, body: event.body(), about: event }),
  })
  await settle(services, webhook, settlePortion(webhook, portion, done, now()), announcer)
}

interface Content {
  id: string
  body: string
  about: TopicSource
}

type Sender = Pick<PortionServices, 'sealer' | 'now' | 'poster' | 'brokerPoster' | 'tracer'>

/** Opens the secrets once for many messages. A test goes in parallel with the others. */
export function createDelivery(
  services: Sender,
  webhook: StoredWebhook & { claim?: string },
  { isTest } = { isTest: false },
): (content: Content) => Promise<Attempt> {
  const { sealer, now, poster, brokerPoster } = services
  const { url, mqtt, organization_id: organizationId } = webhook
  const secrets = openSecrets(services, webhook)
  const broker = mqtt && toBrokerTarget(sealer, webhook, mqtt)
  return ({ id, body, about }) => {
    const at = now()
    const timestamp = Math.floor(at.getTime() / 1000)
    const headers = signMessage({ id, timestamp, body }, secrets)
    if (!broker) return trace(services, webhook, id, () => poster.post({ url, headers, body }, at))
    const topic = topicOf(mqtt.topic, organizationId, about)
    const publication = { topic, payload: body, isRetained: mqtt.retain, properties: headers }
    return trace(services, webhook, id, () =>
      isTest
        ? brokerPoster.publishApart(apart(broker), { ...publication, isRetained: false }, at)
        : brokerPoster.publish(broker, publication, at),
    )
  }
}

function trace(
  { tracer }: Sender,
  { organization_id: organizationId, id: webhookId, mqtt }: StoredWebhook,
  messageId: string,
  send: () => Promise<Attempt>,
): Promise<Attempt> {
  const attributes = {
    'lora.organization.id': organizationId,
    'lora.webhook.id': webhookId,
    'messaging.message.id': messageId,
  }
  return tracer.run({ name: 'deliver webhook', kind: 'client', attributes }, async (span) => {
    const attempt = await send()
    if (!mqtt) span.set({ 'http.response.status_code': attempt.status })
    if (!attempt.isDelivered) span.fail(String(attempt.status ?? 'unreachable'))
    return attempt
  })
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
  announcer: Announcer | undefined,
): Promise<void> {
  const isStored = await db.transaction(async (tx) => {
    if (!(await settleWebhook(tx, webhook, settlement, now()))) return false
    await noteDelivered(tx, webhook, settlement)
    await keep(tx, webhook, settlement.kept, now())
    const announced = [...(announcer?.announced.values() ?? [])]
    if (announced.length > 0) await rememberAnnounced(tx, webhook, announced, now())
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
