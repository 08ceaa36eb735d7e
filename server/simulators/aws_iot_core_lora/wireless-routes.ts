// The calls about devices, gateways and the objects of an account: AWS IoT Wireless API reference.

import { isObject, type JsonObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import { findActivationFault } from './device-activation.ts'
import { checkDigits, conflict, invalid, missing } from './refusals.ts'
import {
  account,
  deviceProfiles,
  nameResource,
  type WirelessGateway,
  type WirelessSide,
} from './store.ts'

/** How a call of this service is told from one of AWS IoT Core, which has another host: by what it signs. */
export const ofWireless = '/iotwireless/'

export function createWirelessRoutes(
  side: WirelessSide,
  rules: readonly FarRoute[],
  isPublished: boolean,
): FarRoute[] {
  const lists = listRoutes()
  const isListed = ([method, path]: FarRoute) =>
    lists.some((list) => list[0] === method && list[1] === path)
  return [
    ...lists.map(([method, path, handle]): FarRoute => {
      const other = rules.find((rule) => rule[0] === method && rule[1] === path)?.[2] ?? handle
      const isOwn = ({ headers }: FarCall) => headers.authorization?.includes(ofWireless) === true
      return [method, path, (call) => (isOwn(call) ? handle(call) : other(call))]
    }),
    ...rules.filter((rule) => !isListed(rule)),
    ['GET', '/destinations/:name', ({ params }) => showDestination(params.name, isPublished)],
    [
      'GET',
      '/device-profiles/:id',
      ({ params }) => {
        const LoRaWAN = deviceProfiles[params.id ?? '']
        if (!LoRaWAN) return missing('DeviceProfile')
        return { status: 200, body: { Id: params.id, LoRaWAN } }
      },
    ],
    [
      'GET',
      '/service-profiles/:id',
      ({ params }) =>
        params.id === account.serviceProfileId
          ? { status: 200, body: { Id: params.id, LoRaWAN: { AddGwMetadata: true } } }
          : missing('ServiceProfile'),
    ],
    ...deviceRoutes(side),
    ...gatewayRoutes(side),
  ]
}

function listRoutes(): FarRoute[] {
  const list = (name: string, items: JsonObject[]): FarRoute[2] => {
    return ({ query }) => {
      const { page, next } = cut(items, query)
      return { status: 200, body: { [name]: page, ...next } }
    }
  }
  const profiles = Object.keys(deviceProfiles).map((Id, index) => ({ Id, Name: `Band ${index}` }))
  const services = [{ Id: account.serviceProfileId, Name: 'With gateways' }]
  return [
    ['GET', '/destinations', list('DestinationList', [{ Name: account.destination }])],
    ['GET', '/device-profiles', list('DeviceProfileList', profiles)],
    ['GET', '/service-profiles', list('ServiceProfileList', services)],
  ]
}

function showDestination(name: string | undefined, isPublished: boolean): FarAnswer {
  if (name !== account.destination) return missing('Destination')
  const expression = isPublished
    ? { ExpressionType: 'MqttTopic', Expression: account.topic }
    : { ExpressionType: 'RuleName', Expression: account.ruleName }
  return { status: 200, body: { Name: name, RoleArn: account.roleArn, ...expression } }
}

function deviceRoutes(side: WirelessSide): FarRoute[] {
  return [
    ['POST', '/wireless-devices', (call) => createDevice(side, call)],
    ['GET', '/wireless-devices', (call) => listDevices(side, call)],
    ['GET', '/wireless-devices/:id', (call) => showDevice(side, call)],
    ['PATCH', '/wireless-devices/:id', (call) => updateDevice(side, call)],
    [
      'DELETE',
      '/wireless-devices/:id',
      ({ params }) => {
        const device = findDevice(side, params.id)
        if (!device) return missing('WirelessDevice')
        side.devices.delete(device.devEui)
        return { status: 204 }
      },
    ],
  ]
}

function createDevice(side: WirelessSide, { body }: FarCall): FarAnswer {
  const sent = isObject(body) ? body : {}
  const radio = isObject(sent.LoRaWAN) ? sent.LoRaWAN : {}
  const fault = findFault(sent, radio)
  if (fault) return fault
  const devEui = String(radio.DevEui).toUpperCase()
  if (side.devices.has(devEui)) return conflict(`DevEui ${radio.DevEui} is already provisioned.`)
  const name = nameResource(side.random, 'WirelessDevice')
  const record = {
    ...name,
    Type: 'LoRaWAN' as const,
    DestinationName: String(sent.DestinationName),
    ...(typeof sent.Description === 'string' ? { Description: sent.Description } : {}),
    LoRaWAN: radio,
  }
  side.putDevice(devEui, typeof sent.Name === 'string' ? sent.Name : '', record)
  return { status: 201, body: name }
}

/**
 * Checks the required members of CreateWirelessDevice, their forms, and the objects that they refer
 * to.
 */
function findFault(sent: JsonObject, radio: JsonObject): FarAnswer | undefined {
  if (sent.Type !== 'LoRaWAN') return invalid('Type must be LoRaWAN or Sidewalk.')
  if (isWrongName(sent.Name)) return wrongName()
  const fault = checkDigits(radio.DevEui, 'DevEui', 16)
  if (fault) return fault
  if (sent.DestinationName !== account.destination) return missing('Destination')
  if (radio.ServiceProfileId !== account.serviceProfileId) return missing('ServiceProfile')
  return findActivationFault(radio)
}

function listDevices({ devices }: WirelessSide, { query }: FarCall): FarAnswer {
  const found = [...devices.values()].filter(
    ({ record }) =>
      query.destinationName === undefined || record.DestinationName === query.destinationName,
  )
  const { page, next } = cut(found, query)
  const WirelessDeviceList = page.map(({ name, devEui, record }) => ({
    ...record,
    Name: name,
    LoRaWAN: { DevEui: devEui.toLowerCase() },
  }))
  return { status: 200, body: { WirelessDeviceList, ...next } }
}

/** Finds the device by the `identifierType`: by AWS's own id, or by the DevEUI. */
function showDevice(side: WirelessSide, { params, query }: FarCall): FarAnswer {
  const id = params.id ?? ''
  const device =
    query.identifierType === 'DevEui'
      ? side.devices.get(id.toUpperCase())
      : findDevice(side, params.id)
  if (!device) return missing('WirelessDevice')
  return { status: 200, body: { ...device.record, Name: device.name } }
}

function updateDevice(side: WirelessSide, { params, body }: FarCall): FarAnswer {
  const device = findDevice(side, params.id)
  if (!device) return missing('WirelessDevice')
  const sent = isObject(body) ? body : {}
  if (isWrongName(sent.Name)) return wrongName()
  if (typeof sent.Name === 'string') device.name = sent.Name
  if (typeof sent.DestinationName === 'string') {
    device.record.DestinationName = sent.DestinationName
  }
  const { DeviceProfileId } = isObject(sent.LoRaWAN) ? sent.LoRaWAN : {}
  if (DeviceProfileId !== undefined && !deviceProfiles[String(DeviceProfileId)]) {
    return missing('DeviceProfile')
  }
  if (isObject(sent.LoRaWAN)) Object.assign(device.record.LoRaWAN, sent.LoRaWAN)
  return { status: 204 }
}

export function findDevice({ devices }: WirelessSide, id: string | undefined) {
  return [...devices.values()].find(({ record }) => record.Id === id)
}

function gatewayRoutes(side: WirelessSide): FarRoute[] {
  const find = (id: string | undefined): WirelessGateway | undefined =>
    [...side.gateways.values()].find(({ record }) => record.Id === id)
  return [
    ['POST', '/wireless-gateways', (call) => createGateway(side, call)],
    ['GET', '/wireless-gateways', (call) => listGateways(side, call)],
    [
      'GET',
      '/wireless-gateways/:id',
      ({ params, query }) => {
        const isByEui = query.identifierType === 'GatewayEui'
        const gateway = isByEui
          ? side.gateways.get((params.id ?? '').toUpperCase())
          : find(params.id)
        if (!gateway) return missing('WirelessGateway')
        return { status: 200, body: { ...gateway.record, Name: gateway.name } }
      },
    ],
    [
      'PATCH',
      '/wireless-gateways/:id',
      ({ params, body }) => {
        const gateway = find(params.id)
        if (!gateway) return missing('WirelessGateway')
        const { Name }: JsonObject = isObject(body) ? body : {}
        if (isWrongName(Name)) return wrongName()
        if (typeof Name === 'string') gateway.name = Name
        return { status: 204 }
      },
    ],
    [
      'DELETE',
      '/wireless-gateways/:id',
      ({ params }) => {
        const gateway = find(params.id)
        if (!gateway) return missing('WirelessGateway')
        side.gateways.delete(gateway.eui)
        return { status: 204 }
      },
    ],
  ]
}

function createGateway(side: WirelessSide, { body }: FarCall): FarAnswer {
  const sent = isObject(body) ? body : {}
  const radio = isObject(sent.LoRaWAN) ? sent.LoRaWAN : {}
  const fault = checkDigits(radio.GatewayEui, 'GatewayEui', 16)
  if (fault) return fault
  if (isWrongName(sent.Name)) return wrongName()
  if (isWrongDescription(sent.Description)) return invalid('Description is too long.')
  if (typeof radio.RfRegion !== 'string') return invalid('RfRegion is required.')
  const eui = String(radio.GatewayEui).toUpperCase()
  if (side.gateways.has(eui)) return conflict(`GatewayEui ${eui} is already provisioned.`)
  const names = nameResource(side.random, 'WirelessGateway')
  const name = typeof sent.Name === 'string' ? sent.Name : ''
  side.gateways.set(eui, { eui, name, record: { ...names, LoRaWAN: radio } })
  return { status: 201, body: names }
}

function listGateways({ gateways }: WirelessSide, { query }: FarCall): FarAnswer {
  const { page, next } = cut([...gateways.values()], query)
  const WirelessGatewayList = page.map(({ name, record }) => ({ ...record, Name: name }))
  return { status: 200, body: { WirelessGatewayList, ...next } }
}

/** Returns one page. Its token is the index of the first item of the next page. */
function cut<Item>(items: readonly Item[], { maxResults, nextToken }: Record<string, string>) {
  const from = Number(nextToken ?? 0)
  const to = from + Number(maxResults ?? 100)
  const next = to < items.length ? { NextToken: String(to) } : {}
  return { page: items.slice(from, to), next }
}

/** The limit of WirelessDeviceName and WirelessGatewayName in the API reference. */
export const longestName = 256

/** Characters that CreateWirelessDevice refuses in `Name`. */
const forbiddenInNames = /[<>^#~$]/

function isWrongName(name: unknown): boolean {
  return typeof name === 'string' && (name.length > longestName || forbiddenInNames.test(name))
}

function wrongName(): FarAnswer {
  const failure = `Value at 'name' failed to satisfy constraint: Member must have length less than or equal to ${longestName}, without <>^#~$`
  return invalid(`1 validation error detected: ${failure}`)
}

/** The limit of `Description` in the API reference. */
const longestDescription = 2048

function isWrongDescription(description: unknown): boolean {
  return typeof description === 'string' && description.length > longestDescription
}
