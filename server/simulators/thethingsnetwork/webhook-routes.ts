// The webhooks of the application, pkg/applicationserver/io/web/grpc_webhooks.go.
import { isObject, type JsonObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarMessage } from '../far-dialect.ts'
import { done, fail, invalid } from './errors.ts'
import {
  applyMask,
  isSlug,
  objectIn,
  pathsIn,
  type StackSide,
  type StackStore,
  textOf,
} from './store.ts'

const path = '/api/v3/as/webhooks/:application'

export function webhookRoutes(store: StackStore, side: StackSide): FarRoute[] {
  return [
    ['GET', path, (call) => list(store, call)],
    ['PUT', `${path}/:webhook`, (call) => put(store, side, call)],
    ['DELETE', `${path}/:webhook`, (call) => remove(store, side, call)],
  ]
}

/** Returns ids, times and the members that the field mask names (redis/registry.go). */
function list({ webhooks }: StackStore, { query }: FarCall): FarAnswer {
  const always = ['ids', 'created_at', 'updated_at', 'base_url', 'format']
  const names = [...always, ...(query.field_mask ?? '').split(',')]
  const shown = [...webhooks.values()].map((webhook) =>
    Object.fromEntries(Object.entries(webhook).filter(([name]) => names.includes(name))),
  )
  return { status: 200, body: shown.length > 0 ? { webhooks: shown } : {} }
}

function put(store: StackStore, side: StackSide, { params, body }: FarCall): FarAnswer {
  const id = params.webhook ?? ''
  const sent = objectIn(body, 'webhook')
  if (!isSlug(id)) return invalid('webhook_id', 'value does not match regex pattern')
  const webhook: JsonObject = { ...(store.webhooks.get(id) ?? { ids: sent.ids }) }
  applyMask(webhook, sent, pathsIn(body))
  if (!URL.canParse(textOf(webhook.base_url))) return invalid('base_url', 'value must be absolute')
  store.webhooks.set(id, webhook)
  applyWebhooks(store, side)
  return { status: 200, body: webhook }
}

function remove(store: StackStore, side: StackSide, { params }: FarCall): FarAnswer {
  if (!store.webhooks.delete(params.webhook ?? '')) {
    return fail(404, 'pkg/applicationserver/io/web:webhook_not_found', 'webhook not found')
  }
  applyWebhooks(store, side)
  return done
}

/** Every webhook receives the messages that it names, unless it is paused. */
export function applyWebhooks(store: StackStore, side: StackSide): void {
  side.callbacks = [...store.webhooks.values()].map((webhook) => {
    const headers = Object.entries(objectIn(webhook, 'headers'))
    return {
      url: textOf(webhook.base_url),
      headers: Object.fromEntries(headers.map(([name, value]) => [name, textOf(value)])),
      takes: ({ body }: FarMessage) => isNamed(webhook, body) && mayRun(store, side, webhook),
      heard: (isTaken: boolean) => noteHealth(side, webhook, isTaken),
    }
  })
}

function isNamed(webhook: JsonObject, body: unknown): boolean {
  return isObject(body) && Object.keys(body).some((member) => isObject(webhook[member]))
}

/**
 * After this many failures in a row, a webhook is paused for a while after each further failure
 * (sink/health.go, `preRunCheck`). A webhook that its owner paused receives nothing (webhooks.go,
 * `handleUp`).
 */
function mayRun({ pausing }: StackStore, { now }: StackSide, webhook: JsonObject): boolean {
  if (webhook.paused === true) return false
  const { failed_attempts, last_failed_attempt_at } = unhealthyIn(webhook)
  if (Number(failed_attempts ?? 0) < pausing.failures) return true
  return now() > Date.parse(textOf(last_failed_attempt_at)) + pausing.retryMs
}

/** Source: `executeAndRecord`, sink/health.go. */
function noteHealth({ now }: StackSide, webhook: JsonObject, isTaken: boolean): void {
  if (isTaken) {
    webhook.health_status = { healthy: {} }
    return
  }
  const { failed_attempts = 0 } = unhealthyIn(webhook)
  webhook.health_status = {
    unhealthy: {
      failed_attempts: String(Number(failed_attempts) + 1),
      last_failed_attempt_at: new Date(now()).toISOString(),
      last_failed_attempt_details: {
        namespace: 'pkg/applicationserver/io/web/sink',
        name: 'request',
        message_format: 'request',
        attributes: { url: textOf(webhook.base_url) },
        correlation_id: '9b5f1e7a0c6d4a2f8e3b7d1c5a9f0e2d',
        code: 14,
      },
    },
  }
}

function unhealthyIn(webhook: JsonObject): JsonObject {
  return objectIn(objectIn(webhook, 'health_status'), 'unhealthy')
}
