// The calls about /subscriptions/mine/devices, device manager API 7.3.
import { objectsOf, textOf } from '../../src/networks/answer-fields.ts'
import { isObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarDevice } from '../far-dialect.ts'
import { applyAddress, applyKeys, refuseFixed } from './device-keys.ts'
import {
  bodyOf,
  checkVersion,
  type DeviceRecord,
  deviceModels,
  deviceProfiles,
  notFound,
  occContextOf,
  operationsPath,
  refuse,
  type ThingPark,
  toPage,
} from './store.ts'
import {
  ofDevice,
  ofDeviceBrief,
  ofDeviceDetail,
  ofProfile,
  profileLogo,
} from './unused-members.ts'

const base = `${operationsPath}/subscriptions/mine`
const connectivity = 'LORAWAN'
const ofModel = { typeMAC: 'LoRaMAC', macMajorVersion: 0, connectivity }

export function deviceRoutes(thingPark: ThingPark): FarRoute[] {
  const { devices } = thingPark.side
  const withDevice =
    (handle: (call: FarCall, device: FarDevice<DeviceRecord>) => FarAnswer) => (call: FarCall) => {
      const device = findDevice(thingPark, call.params.uid ?? '')
      return device ? handle(call, device) : notFound('Device')
    }
  return [
    ['GET', `${base}/deviceProfiles`, listProfiles],
    ['GET', `${base}/devices`, (call) => listDevices(thingPark, call)],
    ['POST', `${base}/devices`, (call) => createDevice(thingPark, call)],
    [
      'GET',
      `${base}/devices/:uid`,
      withDevice((_call, device) => ({ status: 200, body: show(thingPark, device) })),
    ],
    [
      'PUT',
      `${base}/devices/:uid`,
      withDevice((call, device) => updateDevice(thingPark, call, device)),
    ],
    [
      'DELETE',
      `${base}/devices/:uid`,
      withDevice((_call, device) => {
        devices.delete(device.devEui)
        return { status: 204 }
      }),
    ],
  ]
}

function listProfiles(call: FarCall): FarAnswer {
  const wanted = call.query.ID
  const found = deviceProfiles.filter((id) => wanted === undefined || id === wanted)
  return toPage(
    found.map((ID) => ({
      ...ofProfile,
      ID,
      commercialName: ID,
      typeMAC: ofModel.typeMAC,
      connectivity,
    })),
    call,
  )
}

function listDevices(thingPark: ThingPark, call: FarCall): FarAnswer {
  const { appServerID } = call.query
  const found = [...thingPark.side.devices.values()].filter(
    ({ record }) => appServerID === undefined || record.appServerIds.includes(appServerID),
  )
  const briefs = found.map((device) => ({ ...showCommon(thingPark, device), ...ofDeviceBrief }))
  return toPage(briefs, call, { now: new Date(thingPark.side.now()).toISOString() })
}

function createDevice(thingPark: ThingPark, call: FarCall): FarAnswer {
  const body = bodyOf(call)
  const eui = textOf(body.EUI).toUpperCase()
  const modelId = isObject(body.model) ? textOf(body.model.ID) : ''
  if (!/^[0-9A-F]{16}$/.test(eui)) return refuse(400, 23, 'invalid EUI')
  if (!deviceProfiles.includes(modelId)) return refuse(400, 24, `unknown model ${modelId}`)
  if (body.activation !== 'OTAA' && body.activation !== 'ABP') {
    return refuse(400, 25, 'activation is mandatory')
  }
  if (thingPark.side.devices.has(eui)) return refuse(409, 26, `device ${eui} already exists`)
  if (thingPark.side.devices.size >= (thingPark.licenses ?? Infinity)) {
    return refuse(403, 29, 'no license is left in the network subscription')
  }
  const record: DeviceRecord = {
    uid: thingPark.nextUid(),
    modelId,
    activation: body.activation,
    appEui: '',
    appKey: '',
    appServerIds: [],
    version: 0,
  }
  const fault = applyAddress(record, body) ?? apply(thingPark, record, body)
  if (fault) return fault
  const device = thingPark.side.putDevice(eui, textOf(body.name) || eui, record)
  return { status: 201, body: show(thingPark, device) }
}

function updateDevice(
  thingPark: ThingPark,
  call: FarCall,
  device: FarDevice<DeviceRecord>,
): FarAnswer {
  const body = bodyOf(call)
  const { record } = device
  const fault = checkVersion(call, record) ?? refuseFixed(body) ?? apply(thingPark, record, body)
  if (fault) return fault
  if (body.name !== undefined) device.name = textOf(body.name)
  device.record.version += 1
  return { status: 200, body: show(thingPark, device) }
}

/** Applies the members of a creation or a change. Returns a refusal if a member is wrong. */
function apply(
  { appServers }: ThingPark,
  record: DeviceRecord,
  body: Record<string, unknown>,
): FarAnswer | undefined {
  const { appEUI, appServers: routed } = body
  const ids = objectsOf(routed).map(({ ID }) => textOf(ID))
  const known = [...appServers.values()].map(({ id }) => id)
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown !== undefined) return refuse(400, 27, `unknown application server ${unknown}`)
  if (appEUI !== undefined && !/^[0-9A-F]{16}$/i.test(textOf(appEUI))) {
    return refuse(400, 28, 'invalid appEUI')
  }
  const fault = applyKeys(record, body)
  if (fault) return fault
  if (routed !== undefined) record.appServerIds = ids
  if (appEUI !== undefined) record.appEui = textOf(appEUI).toUpperCase()
  const { adminLat, adminLon } = body
  if (adminLat !== undefined) Object.assign(record, { adminLat, adminLon })
  return undefined
}

/** Finds a device by its number, or by `e` and its EUI in upper case. */
function findDevice({ side }: ThingPark, uid: string): FarDevice<DeviceRecord> | undefined {
  if (uid.startsWith('e')) return side.devices.get(uid.slice(1))
  return [...side.devices.values()].find(({ record }) => String(record.uid) === uid)
}

function show(thingPark: ThingPark, device: FarDevice<DeviceRecord>) {
  return { ...showCommon(thingPark, device), ...ofDeviceDetail, now: thingPark.side.now() }
}

/** Members that a list also has. */
function showCommon(
  { side, appServers }: ThingPark,
  { devEui, name, record, devAddr }: FarDevice<DeviceRecord>,
) {
  const { modelId } = record
  return {
    ...ofDevice,
    EUI: devEui,
    name,
    connectivity,
    activation: record.activation,
    model: {
      ID: modelId,
      commercialName: modelId,
      logo: profileLogo,
      ...ofModel,
      ...deviceModels[modelId],
    },
    appEUI: record.appEui,
    appServers: [...appServers.values()]
      .filter(({ id }) => record.appServerIds.includes(id))
      .map(({ id, name, uid }) => ({ ID: id, name, href: hrefOf(`appServers/${uid}`) })),
    nwAddress: (record.nwAddress ?? devAddr).toUpperCase(),
    healthState: 'INIT',
    locationType: 1,
    markerID: 1,
    motionIndicator: 'NEAR_STATIC',
    href: hrefOf(`devices/${record.uid}`),
    occContext: occContextOf(record, side.now()),
  }
}

export function hrefOf(path: string): string {
  return `${operationsPath}/subscriptions/10/${path}`
}
