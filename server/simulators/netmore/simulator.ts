// Simulates Netmore Connect, from the sources of a client. Statuses and errors have the form that
// its generated client expects (a JSON `message`). They were not observed at the network.
import type { Right } from '../../src/networks/capabilities.ts'
import { isObject, type JsonObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarDevice, FarUplink } from '../far-dialect.ts'
import type { NeededRight } from '../far-restrictions.ts'
import { createFarSide, type FarSide } from '../far-side.ts'
import { ownerRadio, type RadioKind } from '../owner-radio.ts'
import type { SimulatorOptions } from '../simulated-network.ts'
import { findLoraFault } from './lora-device.ts'

const account = {
  api_key: 'simulated-netmore-api-key',
  customer_id: 'customer-1',
  device_group_id: 'fleet',
  profile_id: '7',
}

type Side = FarSide<JsonObject, never>

export async function startSimulator(options: SimulatorOptions = {}) {
  const dialect = { uplink: (uplink: FarUplink<JsonObject>) => [{ body: [toMessage(uplink)] }] }
  const side = await createFarSide<JsonObject, never>(options, dialect, (made) => ({
    routes: createRoutes(made),
    authorize: ({ headers }) =>
      headers['api-key'] === account.api_key ? undefined : refuse(401, 'Invalid api-key'),
    refusal: (words) => refuse(400, words),
    rightOf,
  }))
  const simulated = side.simulate({
    network: 'netmore',
    account: { ...account, server: side.http.address },
    wrongAccount: { api_key: 'wrong' },
    rights: { write_devices: /DeviceAdmin/, send_downlinks: /DSendDownlink/ },
    kinds: ['1.1', 'abp', 'class_c'],
    addDevice: (devEui, name, kind) => {
      const loraDevice = kind ? ofKind(devEui, kind) : {}
      side.putDevice(devEui, name, { deviceGroupId: account.device_group_id, loraDevice })
    },
  })
  return { ...simulated, http: side.http, side }
}

/** The rights of an API key in the portal. The text of a refusal is not documented. */
function rightOf({ method, path }: FarCall): NeededRight | undefined {
  const need = (right: Right, name: string) => {
    return { right, refusal: refuse(403, `missing authority ${name}`) }
  }
  if (/\/(downlink|clearDownlink)$/.test(path)) return need('send_downlinks', 'DSendDownlink')
  return method === 'GET' ? undefined : need('write_devices', 'DeviceAdmin')
}

function createRoutes(side: Side): FarRoute[] {
  const group = '/api/v1/customers/:customer/deviceGroups/:group'
  const device = '/api/v1/devices/LoRaWAN/:devEui'
  const inGroup =
    (handle: (call: FarCall) => FarAnswer) =>
    (call: FarCall): FarAnswer => {
      const { customer, group: id } = call.params
      const isOurs = customer === account.customer_id && id === account.device_group_id
      return isOurs ? handle(call) : refuse(404, 'Device group not found')
    }
  const about =
    (handle: (found: FarDevice<JsonObject>, call: FarCall) => FarAnswer) =>
    (call: FarCall): FarAnswer => {
      const found = side.devices.get(call.params.devEui?.toUpperCase() ?? '')
      return found ? handle(found, call) : refuse(404, 'Device not found')
    }
  return [
    [
      'GET',
      group,
      inGroup(({ params }) => ({ status: 200, body: { deviceGroupId: params.group } })),
    ],
    ['GET', `${group}/devices`, inGroup(() => ({ status: 200, body: list(side) }))],
    ['POST', `${group}/devices`, inGroup((call) => create(side, call))],
    ['GET', device, about((found) => ({ status: 200, body: show(found) }))],
    ['PATCH', device, about((found, call) => patch(side, found, call))],
    ['POST', `${device}/LoRaWAN/downlink`, about((found, call) => send(side, found, call))],
    [
      'POST',
      `${device}/LoRaWAN/clearDownlink`,
      about((found) => {
        found.queue = []
        return { status: 204 }
      }),
    ],
  ]
}

function create(side: Side, { body }: FarCall): FarAnswer {
  const sent = isObject(body) ? body : {}
  const radio = isObject(sent.loraDevice) ? sent.loraDevice : {}
  const fault = findLoraFault(radio)
  if (fault) return refuse(400, fault)
  const devEui = String(radio.devEui)
  if (side.devices.has(devEui.toUpperCase())) return refuse(409, 'Device already exists')
  const record = { deviceGroupId: account.device_group_id, loraDevice: radio, installed: true }
  const name = typeof sent.name === 'string' ? sent.name : ''
  return { status: 200, body: show(side.putDevice(devEui, name, record)) }
}

function patch(side: Side, found: FarDevice<JsonObject>, { body }: FarCall): FarAnswer {
  const sent = isObject(body) ? body : {}
  const { name, loraDevice, installed, deleted } = sent
  const radio = { ...(isObject(found.record.loraDevice) ? found.record.loraDevice : {}) }
  if (isObject(loraDevice)) Object.assign(radio, loraDevice)
  // A device that the owner entered in the portal has members that are not simulated.
  const fault = radio.activationMethod === undefined ? undefined : findLoraFault(radio)
  if (fault) return refuse(400, fault)
  if (deleted === true) {
    if (found.record.installed === true || radio.provisioned === true) {
      return refuse(400, 'The device has to be unprovisioned and uninstalled first')
    }
    side.devices.delete(found.devEui)
  }
  if (typeof name === 'string') found.name = name
  found.record = {
    ...found.record,
    loraDevice: radio,
    installed: installed ?? found.record.installed,
  }
  return { status: 200, body: show(found) }
}

function send(side: Side, { queue }: FarDevice<JsonObject>, { query }: FarCall): FarAnswer {
  const { payloadHex = '', fPort, confirmed, validity } = query
  if (fPort === undefined || confirmed === undefined || validity === undefined) {
    return refuse(400, 'payloadHex, fPort, confirmed and validity are required')
  }
  const id = side.random.between(1_000, 999_999)
  const data = Buffer.from(payloadHex, 'hex')
  queue.push({ id: String(id), fPort: Number(fPort), data, confirmed: confirmed === 'true' })
  return { status: 200, body: id }
}

function list({ devices }: Side) {
  return [...devices.values()].filter(isInGroup).map(show)
}

function isInGroup({ record }: FarDevice<JsonObject>): boolean {
  return record.deviceGroupId === account.device_group_id
}

function show({ devEui, name, record }: FarDevice<JsonObject>) {
  return { ...record, loraDevEui: devEui.toLowerCase(), name }
}

function toMessage({ device, fPort, fCnt, data, time }: FarUplink<JsonObject>) {
  return {
    devEui: device.devEui.toLowerCase(),
    sensorType: 'other',
    messageType: 'payload',
    timestamp: new Date(time).toISOString(),
    payload: data.toString('hex'),
    fCntUp: fCnt,
    freq: 868_300_000,
    ack: false,
    spreadingFactor: '7',
    dr: 5,
    rssi: '-73',
    snr: '9.8',
    fPort: String(fPort),
    gateways: [{ rssi: '-73', snr: '9.8', gatewayIdentifier: '506', gwEui: '00BB0000000000B1' }],
  }
}

/** Members of CreateLoraDevice. */
function ofKind(devEui: string, kind: RadioKind): JsonObject {
  const { appKey, networkKey, devAddr, joinEui: appEui } = ownerRadio
  const common = { devEui: devEui.toLowerCase(), class: kind === 'class_c' ? 'C' : 'A', profId: 7 }
  if (kind === 'abp') {
    const session = { devAddr, nwkSKey: networkKey, appSKey: appKey }
    return { ...common, loraVersion: 'V103', activationMethod: 'ABP', ...session }
  }
  const version =
    kind === '1.1' ? { loraVersion: 'V11', nwkKey: networkKey } : { loraVersion: 'V103' }
  return { ...common, ...version, activationMethod: 'OTAA', appEui, appKey }
}

function refuse(status: number, message: string): FarAnswer {
  return { status, body: { message } }
}
