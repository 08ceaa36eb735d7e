// The rules of a simulated AWS IoT Core, with their `http` actions. AWS IoT API reference,
// CreateTopicRule.
import { isObject, type JsonObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarCallback } from '../far-dialect.ts'
import type { CallbackFault } from '../simulated-network.ts'
import { refuseAs } from './authorization.ts'
import {
  createFarDestinations,
  denied,
  type FarDestinations,
  type FarIotOptions,
  invalid,
  isCallable,
} from './destination-routes.ts'

interface FarRules {
  /** By name. The payload is stored as it was sent. */
  rules: Map<string, JsonObject>
  destinations: FarDestinations
  routes: FarRoute[]
  spoil(how: CallbackFault): void
  /** The callbacks of a rule whose destinations are confirmed and enabled. */
  callbacksOf(ruleName: string): FarCallback[]
}

export function createFarRules(options: FarIotOptions): FarRules {
  const rules = new Map<string, JsonObject>()
  const destinations = createFarDestinations(options)
  const state: State = { rules, destinations, changed: options.changed }
  return {
    rules,
    destinations,
    routes: [...destinations.routes, ...createRoutes(state)],
    spoil: (how) => spoil(state, how),
    callbacksOf: (ruleName) => callbacksOf(state, rules.get(ruleName)),
  }
}

function spoil({ rules, destinations, changed }: State, how: CallbackFault): void {
  if (how === 'delete') {
    rules.clear()
    destinations.all.clear()
  }
  for (const [name, rule] of rules) {
    const text = JSON.stringify(rule).replace(/("value":)"[^"]*"/g, '$1"changed"')
    rules.set(name, JSON.parse(text))
  }
  changed()
}

interface State {
  rules: Map<string, JsonObject>
  destinations: FarDestinations
  changed(): void
}

function createRoutes(state: State): FarRoute[] {
  const { rules } = state
  const about =
    (handle: (name: string, call: FarCall) => FarAnswer) =>
    (call: FarCall): FarAnswer => {
      const name = call.params.name ?? ''
      return rules.has(name) ? handle(name, call) : denied(`topic rule '${name}'`)
    }
  const show = (ruleName: string) => ({
    status: 200,
    body: { rule: { ruleName, ...rules.get(ruleName) } },
  })
  const remove = (ruleName: string) => {
    rules.delete(ruleName)
    state.changed()
    return { status: 200 }
  }
  return [
    ['POST', '/rules/:name', (call) => create(state, call)],
    ['GET', '/rules/:name', about(show)],
    ['PATCH', '/rules/:name', about((name, call) => write(state, name, call.body))],
    ['DELETE', '/rules/:name', about(remove)],
  ]
}

function create(state: State, { params, body }: FarCall): FarAnswer {
  const name = params.name ?? ''
  if (!/^\w{1,128}$/.test(name)) return invalid(`Invalid rule name: ${name}`)
  if (state.rules.has(name)) {
    return refuseAs(409, 'ResourceAlreadyExistsException', `Rule already exists: ${name}`)
  }
  return write(state, name, body)
}

function write(state: State, name: string, payload: unknown): FarAnswer {
  if (!isObject(payload) || !Array.isArray(payload.actions)) return invalid('actions are missing')
  if (!/^SELECT\s/i.test(String(payload.sql))) {
    return refuseAs(400, 'SqlParseException', 'Expected a SELECT statement.')
  }
  const actions = httpActionsOf(payload)
  if (actions.some(({ url }) => !isCallable(url))) {
    return invalid('The url of an HTTP action must be an HTTPS endpoint.')
  }
  for (const { url, confirmationUrl } of actions) state.destinations.add(confirmationUrl || url)
  state.rules.set(name, payload)
  state.changed()
  return { status: 200 }
}

function callbacksOf({ destinations }: State, rule: JsonObject | undefined): FarCallback[] {
  if (!rule || rule.ruleDisabled === true) return []
  return httpActionsOf(rule)
    .filter(({ url, confirmationUrl }) => destinations.isEnabled(confirmationUrl || url))
    .map(({ url, headers }) => ({
      url,
      headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    }))
}

interface HttpAction {
  url: string
  confirmationUrl: string
  headers: { key: string; value: string }[]
}

function httpActionsOf({ actions }: JsonObject): HttpAction[] {
  const list = Array.isArray(actions) ? actions : []
  return list.flatMap((action) => {
    const http = isObject(action) ? action.http : undefined
    if (!isObject(http)) return []
    const headers = Array.isArray(http.headers) ? http.headers : []
    return [{ url: String(http.url), confirmationUrl: String(http.confirmationUrl ?? ''), headers }]
  })
}
