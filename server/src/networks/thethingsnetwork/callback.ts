// The webhooks of an application, api/ttn/lorawan/v3/applicationserver_web.proto.
import { createHash } from 'node:crypto'
import { textOf } from '../answer-fields.ts'
import { isObject } from '../message-fields.ts'
import type { Callback } from '../network.ts'
import { isMissing, type Session } from './client.ts'
import { idsOf } from './device-ids.ts'

/** What is sent; one without a path goes to the address as it is (pkg/applicationserver/io/web). */
const messages = {
  uplink_message: {},
  join_accept: {},
  downlink_ack: {},
  downlink_nack: {},
  downlink_sent: {},
  downlink_failed: {},
  downlink_queue_invalidated: {},
  location_solved: {},
}

/** A webhook of its own among the application's, which it writes anew when it is there. */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const webhookId = (await findWebhook(session, callback)) ?? usualWebhookId(callback)
  const settings = {
    base_url: callback.url,
    format: 'json',
    headers: { [callback.header]: callback.value },
    ...messages,
  }
  const webhook = {
    ids: {
      webhook_id: webhookId,
      application_ids: { application_id: session.account.applicationId },
    },
    ...settings,
  }
  // Masked and not sent, the health is cleared: one that kept failing is tried again at once.
  const paths = [...Object.keys(settings), 'health_status']
  await session.askCluster({
    method: 'PUT',
    path: pathOf(session, webhookId),
    body: { webhook, field_mask: { paths } },
  })
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  const webhookId = await findWebhook(session, callback)
  if (webhookId === undefined) return
  const path = pathOf(session, webhookId)
  await session.askCluster({ method: 'DELETE', path }).catch((error) => {
    if (!isMissing(error)) throw error
  })
}

async function findWebhook(session: Session, { url }: Callback): Promise<string | undefined> {
  const { webhooks } = await session.askCluster({
    method: 'GET',
    path: pathOf(session),
    query: { field_mask: 'base_url' },
  })
  const list = Array.isArray(webhooks) ? webhooks.filter(isObject) : []
  const found = list.find((webhook) => webhook.base_url === url)
  return found && textOf(idsOf(found).webhook_id)
}

/** The same for the same address; up to 36 lower-case letters, digits and dashes. */
function usualWebhookId({ url }: Callback): string {
  return `fleet-${createHash('sha256').update(url).digest('hex').slice(0, 24)}`
}

function pathOf({ account }: Session, webhookId?: string): string {
  const application = `/as/webhooks/${encodeURIComponent(account.applicationId)}`
  return webhookId === undefined ? application : `${application}/${encodeURIComponent(webhookId)}`
}
