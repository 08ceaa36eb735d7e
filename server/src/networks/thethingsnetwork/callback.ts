// The webhooks of an application, api/ttn/lorawan/v3/applicationserver_web.proto.
import { createHash } from 'node:crypto'
import { objectOf, objectsOf, textOf } from '../answer-fields.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import type { Callback, CallbackState } from '../network.ts'
import { allowMissing } from '../rest.ts'
import { isInvalid, type Session } from './client.ts'
import { idsOf } from './device-ids.ts'

/**
 * The messages that are sent. Without a path they go to the address itself
 * (pkg/applicationserver/io/web).
 */
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

/** Creates our own webhook among the application's, or replaces it. */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const found = await findWebhook(session, callback, ['paused'])
  const webhookId = idOf(found) ?? usualWebhookId(callback)
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
  // The health is masked and not sent, which clears it: a webhook that kept failing is tried again
  // at once. Only versions from 3.32.1 on know whether the owner paused it.
  const pause = found?.paused === true ? ['paused'] : []
  const paths = [...Object.keys(settings), 'health_status', ...pause]
  await session.askCluster({
    method: 'PUT',
    path: pathOf(session, webhookId),
    body: { webhook, field_mask: { paths } },
  })
}

export async function readCallback(session: Session, callback: Callback): Promise<CallbackState> {
  const members = ['headers', 'health_status', 'paused', ...Object.keys(messages)]
  const webhook = await findWebhook(session, callback, members)
  if (!webhook) {
    const words = 'The application at The Things Stack has no webhook that leads to the callback.'
    return { state: 'missing', words }
  }
  if (webhook.paused === true) {
    return { state: 'changed', words: 'The webhook is paused at The Things Stack.' }
  }
  const isWhole = Object.keys(messages).every((name) => isPlain(webhook[name]))
  const isSent = objectOf(webhook.headers)[callback.header] === callback.value
  if (!isWhole || !isSent || webhook.format !== 'json') {
    return { state: 'changed', words: 'The webhook was changed at The Things Stack.' }
  }
  return readHealth(objectOf(objectOf(webhook.health_status).unhealthy))
}

/** Whether a message is sent to the address itself. */
function isPlain(message: unknown): boolean {
  return isObject(message) && (message.path ?? '') === ''
}

/**
 * The Things Stack pauses a webhook after some failures. A setting of the cluster says after how
 * many, and for how long (pkg/applicationserver/config.go). A key of an application cannot read it.
 */
function readHealth(unhealthy: JsonObject): CallbackState {
  const failures = Number(unhealthy.failed_attempts ?? 0)
  if (failures === 0) return { state: 'set', words: '' }
  const { attributes } = objectOf(unhealthy.last_failed_attempt_details)
  const status = textOf(objectOf(attributes).status_code)
  const last = [
    `the last at ${textOf(unhealthy.last_failed_attempt_at)}`,
    status === '' ? 'without an answer' : `answered with ${status}`,
  ]
  const words = `The Things Stack could not deliver to the webhook: ${failures} ${failures === 1 ? 'call' : 'calls'} failed in a row, ${last.join(' ')}. It leaves such a webhook alone for a while.`
  return { state: 'paused', words }
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  const webhookId = idOf(await findWebhook(session, callback, []))
  if (webhookId === undefined) return
  const path = pathOf(session, webhookId)
  await allowMissing(session.askCluster({ method: 'DELETE', path }))
}

/** Finds the webhook of this address, with these members. */
async function findWebhook(
  session: Session,
  { url }: Callback,
  members: readonly string[],
): Promise<JsonObject | undefined> {
  const list = async (names: readonly string[]) => {
    const query = { field_mask: ['base_url', 'format', ...names].join(',') }
    return session.askCluster({ method: 'GET', path: pathOf(session), query })
  }
  const { webhooks } = await list(members).catch((error) => {
    // Before 3.32.1 a webhook could not be paused, and the mask of a member that is unknown is
    // refused.
    if (!isInvalid(error) || !members.includes('paused')) throw error
    return list(members.filter((name) => name !== 'paused'))
  })
  return objectsOf(webhooks).find((webhook) => webhook.base_url === url)
}

function idOf(webhook: JsonObject | undefined): string | undefined {
  return webhook && textOf(idsOf(webhook).webhook_id)
}

/** The same id for the same address: up to 36 lower-case letters, digits and dashes. */
function usualWebhookId({ url }: Callback): string {
  return `fleet-${createHash('sha256').update(url).digest('hex').slice(0, 24)}`
}

function pathOf({ account }: Session, webhookId?: string): string {
  const application = `/as/webhooks/${encodeURIComponent(account.applicationId)}`
  return webhookId === undefined ? application : `${application}/${encodeURIComponent(webhookId)}`
}
