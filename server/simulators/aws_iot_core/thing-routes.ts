// The calls about things, and the call that publishes: AWS IoT API reference, CreateThing, Publish.

import { fromAttribute } from '../../src/networks/aws_iot_core/devices.ts'
import { isObject, type JsonObject } from '../../src/networks/message-fields.ts'
import { type FarAccess, refuseAs } from '../aws/authorization.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarDevice } from '../far-dialect.ts'
import type { FarSide } from '../far-side.ts'

/** A thing in the form of the API, and its attached certificates. */
export interface FarThing {
  thingName: string
  attributes: Record<string, string>
  principals: string[]
}

type ThingSide = FarSide<FarThing, never>

const invalidRequest = 'InvalidRequestException'

export function createThingRoutes(
  side: ThingSide,
  account: FarAccess & { topicPrefix: string },
): FarRoute[] {
  const about =
    (handle: (device: FarDevice<FarThing>, call: FarCall) => FarAnswer) =>
    (call: FarCall): FarAnswer => {
      const device = side.devices.get(call.params.name?.toUpperCase() ?? '')
      if (device?.record.thingName === call.params.name && device) return handle(device, call)
      return refuseAs(
        404,
        'ResourceNotFoundException',
        `Thing ${call.params.name} cannot be found.`,
      )
    }
  const endpointAddress = `simulated-ats.iot.${account.region}.amazonaws.com`
  return [
    ['GET', '/endpoint', () => ({ status: 200, body: { endpointAddress } })],
    ['GET', '/things', (call) => listThings(side, call)],
    ['POST', '/things/:name', (call) => createThing(side, call)],
    ['GET', '/things/:name', about(({ record }) => ({ status: 200, body: show(record) }))],
    ['PATCH', '/things/:name', about((device, call) => updateThing(device, call))],
    ['DELETE', '/things/:name', about((device) => deleteThing(side, device))],
    [
      'GET',
      '/things/:name/principals',
      about(({ record }) => ({ status: 200, body: { principals: record.principals } })),
    ],
    [
      'DELETE',
      '/things/:name/principals',
      about(({ record }, { headers }) => {
        const detached = headers['x-amzn-principal']
        record.principals = record.principals.filter((principal) => principal !== detached)
        return { status: 200, body: {} }
      }),
    ],
    ['POST', '/topics/:topic', (call) => publish(side, account.topicPrefix, call)],
  ]
}

function createThing(side: ThingSide, { params, body }: FarCall): FarAnswer {
  const name = params.name ?? ''
  const attributes = readAttributes(body)
  const fault = findFault(name, attributes)
  if (fault) return refuseAs(400, invalidRequest, fault)
  const known = side.devices.get(name.toUpperCase())
  if (known) {
    const isSame = JSON.stringify(known.record.attributes) === JSON.stringify(attributes)
    if (isSame) return { status: 200, body: show(known.record) }
    const words = `Thing ${name} already exists in account with different attributes`
    return refuseAs(409, 'ResourceAlreadyExistsException', words)
  }
  const record = { thingName: name, attributes, principals: [] }
  side.putDevice(name, fromAttribute(attributes.name ?? ''), record)
  return { status: 200, body: show(record) }
}

function updateThing(device: FarDevice<FarThing>, { params, body }: FarCall): FarAnswer {
  const attributes = readAttributes(body)
  const fault = findFault(params.name ?? '', attributes)
  if (fault) return refuseAs(400, invalidRequest, fault)
  const payload = isObject(body) && isObject(body.attributePayload) ? body.attributePayload : {}
  const before = payload.merge === true ? device.record.attributes : {}
  device.record.attributes = { ...before, ...attributes }
  device.name = fromAttribute(device.record.attributes.name ?? '')
  return { status: 200, body: {} }
}

function deleteThing({ devices }: ThingSide, { devEui, record }: FarDevice<FarThing>): FarAnswer {
  if (record.principals.length > 0) {
    const words = `Cannot delete. Thing ${record.thingName} is still attached to one or more principals`
    return refuseAs(400, invalidRequest, words)
  }
  devices.delete(devEui)
  return { status: 200, body: {} }
}

function listThings({ devices }: ThingSide, { query }: FarCall): FarAnswer {
  const { attributeName, attributeValue, maxResults, nextToken } = query
  const found = [...devices.values()].filter(
    ({ record }) =>
      attributeName === undefined || record.attributes[attributeName] === attributeValue,
  )
  const from = Number(nextToken ?? 0)
  const to = from + Number(maxResults ?? 25)
  const things = found.slice(from, to).map(({ record }) => show(record))
  return {
    status: 200,
    body: { things, ...(to < found.length ? { nextToken: String(to) } : {}) },
  }
}

/** Messages that are published to a device wait for it, as in a session of the broker. */
function publish({ devices }: ThingSide, prefix: string, { params, body }: FarCall): FarAnswer {
  const topic = params.topic ?? ''
  const isDownlink = topic.startsWith(`${prefix}/`) && topic.endsWith('/down')
  const device = isDownlink ? devices.get(topic.split('/').at(-2)?.toUpperCase() ?? '') : undefined
  const { id, fPort, payload, confirmed }: JsonObject = isObject(body) ? body : {}
  const data = Buffer.from(String(payload), 'hex')
  device?.queue.push({ id: String(id), fPort: Number(fPort), data, confirmed: confirmed === true })
  return { status: 200, body: { message: 'OK' } }
}

/** Checks the patterns of ThingName, AttributeName and AttributeValue in the API reference. */
function findFault(name: string, attributes: Record<string, string>): string | undefined {
  if (!/^[a-zA-Z0-9:_-]{1,128}$/.test(name)) return `Invalid thing name ${name}`
  if (Object.keys(attributes).length > 3) return 'A thing has up to three attributes.'
  const wrong = Object.values(attributes).find(
    (value) => value.length > 800 || !/^[a-zA-Z0-9_.,@/:#=[\]-]*$/.test(value),
  )
  return wrong === undefined ? undefined : `Invalid attribute value: ${wrong}`
}

function readAttributes(body: unknown): Record<string, string> {
  const payload = isObject(body) ? body.attributePayload : undefined
  const attributes = isObject(payload) ? payload.attributes : undefined
  if (!isObject(attributes)) return {}
  return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, String(value)]))
}

function show({ thingName, attributes }: FarThing) {
  return { thingName, attributes, version: 1 }
}
