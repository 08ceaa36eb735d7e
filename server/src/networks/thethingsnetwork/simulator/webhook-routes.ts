// The webhooks of the application, pkg/applicationserver/io/web/grpc_webhooks.go.
import type { JsonObject } from '../../message-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../../simulator/far-http.ts'
import { done, fail, invalid } from './stack-errors.ts'
import {
  applyMask,
  isSlug,
  objectIn,
  pathsIn,
  type StackSide,
  type StackStore,
  textOf,
} from './stack-store.ts'

const path = '/api/v3/as/webhooks/:application'

export function webhookRoutes(store: StackStore, side: StackSide): FarRoute[] {
  return [
    ['GET', path, () => list(store)],
    ['PUT', `${path}/:webhook`, (call) => put(store, side, call)],
    ['DELETE', `${path}/:webhook`, (call) => remove(store, side, call)],
  ]
}

/** Whether the webhook that is in force takes a message; one entered by hand takes all. */
export function isSubscribed({ webhooks }: StackStore, url: string | undefined, member: string) {
  const webhook = [...webhooks.values()].find(({ base_url: own }) => own === url)
  return webhook === undefined || webhook[member] !== undefined
}

function list({ webhooks }: StackStore): FarAnswer {
  return { status: 200, body: webhooks.size > 0 ? { webhooks: [...webhooks.values()] } : {} }
}

function put(store: StackStore, side: StackSide, { params, body }: FarCall): FarAnswer {
  const id = params.webhook ?? ''
  const sent = objectIn(body, 'webhook')
  if (!isSlug(id)) return invalid('webhook_id', 'value does not match regex pattern')
  const webhook: JsonObject = { ...(store.webhooks.get(id) ?? { ids: sent.ids }) }
  applyMask(webhook, sent, pathsIn(body))
  if (!URL.canParse(textOf(webhook.base_url))) return invalid('base_url', 'value must be absolute')
  store.webhooks.set(id, webhook)
  use(store, side)
  return { status: 200, body: webhook }
}

function remove(store: StackStore, side: StackSide, { params }: FarCall): FarAnswer {
  if (!store.webhooks.delete(params.webhook ?? '')) {
    return fail(404, 'pkg/applicationserver/io/web:webhook_not_found', 'webhook not found')
  }
  use(store, side)
  return done
}

/** Messages go to the webhook that was made last. */
function use({ webhooks }: StackStore, side: StackSide): void {
  const webhook = [...webhooks.values()].at(-1)
  const [header, value] = Object.entries(objectIn(webhook, 'headers'))[0] ?? []
  side.callback =
    webhook && header !== undefined
      ? { url: textOf(webhook.base_url), header, value: textOf(value) }
      : undefined
}
