// The calls about /subscriptions/mine/appServers, device manager API 7.3.
import { objectOf, objectsOf, textOf } from '../../src/networks/answer-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarMessage } from '../far-dialect.ts'
import { hrefOf } from './device-routes.ts'
import {
  type AppServer,
  bodyOf,
  checkVersion,
  notFound,
  occContextOf,
  operationsPath,
  refuse,
  type ThingPark,
  toPage,
} from './store.ts'
import { ofAppServer } from './unused-members.ts'

const base = `${operationsPath}/subscriptions/mine/appServers`

export function appServerRoutes(thingPark: ThingPark): FarRoute[] {
  const { appServers } = thingPark
  const withServer =
    (handle: (call: FarCall, server: AppServer) => FarAnswer) => (call: FarCall) => {
      const server = appServers.get(Number(call.params.uid))
      return server ? handle(call, server) : notFound('AppServer')
    }
  return [
    ['GET', base, (call) => toPage([...appServers.values()].map(toBrief), call)],
    ['POST', base, (call) => create(thingPark, call)],
    [
      'GET',
      `${base}/:uid`,
      withServer((_call, server) => ({ status: 200, body: show(thingPark, server) })),
    ],
    [
      'PUT',
      `${base}/:uid`,
      withServer((call, server) => {
        const fault = checkVersion(call, server) ?? apply(thingPark, server, bodyOf(call))
        if (fault) return fault
        server.version += 1
        return { status: 200, body: show(thingPark, server) }
      }),
    ],
    [
      'DELETE',
      `${base}/:uid`,
      withServer((_call, server) => {
        appServers.delete(server.uid)
        route(thingPark)
        return { status: 204 }
      }),
    ],
  ]
}

/** Adds an application server, as its owner does by hand. */
export function addAppServer(thingPark: ThingPark, values: Record<string, unknown>): FarAnswer {
  const uid = thingPark.nextUid()
  const server: AppServer = {
    uid,
    id: `TWA_100000001.${uid}.AS`,
    name: textOf(values.name),
    contentType: 'xml',
    headers: [],
    addresses: [],
    asId: '',
    asKey: '',
    maxTimestampDeviation: 0,
    isDeactivated: false,
    version: 0,
  }
  const fault = apply(thingPark, server, values)
  if (fault) return fault
  thingPark.appServers.set(uid, server)
  route(thingPark)
  return { status: 201, body: show(thingPark, server) }
}

function create(thingPark: ThingPark, call: FarCall): FarAnswer {
  const body = bodyOf(call)
  if (!textOf(body.name)) return refuse(400, 30, 'name is mandatory')
  return addAppServer(thingPark, body)
}

function apply(
  thingPark: ThingPark,
  server: AppServer,
  body: Record<string, unknown>,
): FarAnswer | undefined {
  const { contentType = server.contentType } = body
  if (!['xml', 'json', 'jsontyped'].includes(textOf(contentType))) {
    return refuse(400, 31, 'invalid contentType')
  }
  const headers = objectsOf(body.customHttpHeaders).map(({ name, value }) => ({
    name: textOf(name),
    value: textOf(value),
  }))
  if (!headers.every(isHeader)) return refuse(400, 32, 'invalid customHttpHeaders')
  if (headers.length > 5) return refuse(400, 32, 'too many customHttpHeaders')
  const fault = applySecurity(server, body.downlinkSecurity)
  if (fault) return fault
  server.contentType = textOf(contentType)
  if (body.state !== undefined) server.isDeactivated = body.state === 'DEACTIVATED'
  if (body.customHttpHeaders !== undefined) server.headers = headers
  if (body.destinations !== undefined) {
    server.addresses = objectsOf(body.destinations).flatMap(({ addresses }) =>
      Array.isArray(addresses) ? addresses.map(textOf) : [],
    )
  }
  route(thingPark)
  return undefined
}

/** Checks the patterns of AppServerCustomHttpHeaders. */
function isHeader({ name, value }: { name: string; value: string }): boolean {
  return /^[!#$%&'*+\-.^`|~\w]+$/.test(name) && /^([\x21-\x7e]([ \t]+[\x21-\x7e])?)+$/.test(value)
}

function applySecurity(server: AppServer, value: unknown): FarAnswer | undefined {
  if (value === undefined) return undefined
  const { status, asID, downlinkAsKey, maxTimestampDeviation } = objectOf(value)
  if (status === 'NONE') {
    Object.assign(server, { asId: '', asKey: '' })
    return undefined
  }
  if (status !== 'DOWNLINK_AS_KEY') return refuse(400, 33, 'the security must be activated')
  if (!/^[0-9a-f]{32}$/i.test(textOf(downlinkAsKey))) return refuse(400, 34, 'invalid AS key')
  server.asId = textOf(asID) || server.id
  server.asKey = textOf(downlinkAsKey)
  server.maxTimestampDeviation = Number(maxTimestampDeviation ?? 0)
  return undefined
}

/** Sends the messages of a device to its application servers. */
export function route({ side, appServers }: ThingPark): void {
  const active = [...appServers.values()].filter(({ isDeactivated }) => !isDeactivated)
  side.callbacks = active.flatMap(({ id, addresses: [url], headers }) => {
    if (url === undefined) return []
    return {
      url,
      headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      takes: ({ query }: FarMessage) => query?.LrnInfos?.startsWith(`${id}-`) === true,
    }
  })
}

function toBrief({ uid, id, name, isDeactivated }: AppServer) {
  const state = isDeactivated ? 'DEACTIVATED' : 'ACTIVE'
  const states = { state, healthState: state, validationState: 'VALIDATED' }
  return {
    ID: id,
    name,
    type: 'HTTP',
    href: hrefOf(`appServers/${uid}`),
    ...states,
    ...ofAppServer,
  }
}

/** The key can be set, but is never returned. */
function show({ side }: ThingPark, server: AppServer) {
  const { asId, maxTimestampDeviation } = server
  return {
    ...toBrief(server),
    contentType: server.contentType,
    customHttpHeaders: server.headers,
    destinations: [{ addresses: server.addresses, ports: '*', strategy: 'SEQUENTIAL' }],
    downlinkSecurity: server.asKey
      ? { status: 'DOWNLINK_AS_KEY', asID: asId, maxTimestampDeviation }
      : { status: 'NONE' },
    occContext: occContextOf(server, side.now()),
  }
}
