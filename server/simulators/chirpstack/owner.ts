import devicePb from '@chirpstack/chirpstack-api/api/device_pb.js'
import { status } from '@grpc/grpc-js'
import { ownerRadio, type RadioKind } from '../owner-radio.ts'
import type { Random } from '../random.ts'
import { createSensor } from '../sensor-frames.ts'
import type { SimulatedNetwork } from '../simulated-network.ts'
import type { Faults } from './faults.ts'
import { beginSession } from './radio.ts'
import type { Store, StoredDevice } from './store.ts'

/** Everything that the owner of a ChirpStack does and sees by hand, and the network's faults. */
type Owner = Pick<
  SimulatedNetwork,
  | 'setCallback'
  | 'spoilCallbacks'
  | 'findDevice'
  | 'findGateway'
  | 'deviceEuis'
  | 'addDevice'
  | 'kinds'
  | 'changeKey'
  | 'addForeignDownlink'
  | 'emptyQueue'
  | 'setRoom'
  | 'setAway'
  | 'refuse'
  | 'delayReports'
>

interface Owned {
  store: Store
  random: Random
  faults: Faults
  applicationId: string
  deviceProfileId: string
}

const changingCalls = [
  '/api.DeviceService/Create',
  '/api.DeviceService/Update',
  '/api.DeviceService/Enqueue',
  '/api.GatewayService/Create',
  '/api.GatewayService/Update',
]

export function createOwner(owned: Owned): Owner {
  const { store, random, faults, applicationId } = owned
  const { devices, integrations } = store
  return {
    setCallback: (callback) => {
      integrations.delete(applicationId)
      if (!callback) return
      const { url, header, value } = callback
      integrations.set(applicationId, { url, headers: { [header]: value }, isJson: true })
    },
    spoilCallbacks: (how) => {
      if (how === 'delete') integrations.clear()
      for (const { headers } of integrations.values()) {
        for (const name of Object.keys(headers)) headers[name] = 'changed'
      }
    },
    findDevice: (devEui) => findDevice(store, devEui),
    findGateway: (gatewayEui) => {
      const gateway = store.gateways.get(gatewayEui.toLowerCase())
      if (!gateway) return undefined
      const facts = JSON.stringify(gateway.toObject())
      return { name: gateway.getName(), facts, queue: [], items: [] }
    },
    deviceEuis: () => [...devices.keys()].map((devEui) => devEui.toUpperCase()),
    kinds: ['1.1', 'abp', 'class_c'],
    addDevice: (devEui, name, kind) => addDevice(owned, devEui.toLowerCase(), { name, kind }),
    changeKey: (devEui, key) =>
      void devices.get(devEui.toLowerCase())?.keys?.setNwkKey(key.toLowerCase()),
    addForeignDownlink: (devEui, hexadecimal) => {
      const data = Buffer.from(hexadecimal, 'hex')
      const item = { id: random.uuid(), fPort: 10, data, confirmed: true }
      const device = devices.get(devEui.toLowerCase())
      device?.queue.push({ ...item, fCntDown: undefined, isPending: false })
    },
    emptyQueue: (devEui) => {
      const device = devices.get(devEui.toLowerCase())
      if (device) device.queue = []
    },
    setRoom: (count) => {
      store.maxDeviceCount = count
    },
    setAway: (isAway) => {
      faults.isAway = isAway
    },
    refuse: (message) => {
      const refused = message === undefined ? [] : changingCalls
      const refusal = { code: status.INVALID_ARGUMENT, message: message ?? '' }
      faults.refusals = Object.fromEntries(refused.map((path) => [path, refusal]))
    },
    delayReports: (milliseconds) => {
      faults.gatewayDelayMs = milliseconds
    },
  }
}

function findDevice({ devices }: Store, devEui: string) {
  const device = devices.get(devEui.toLowerCase())
  if (!device) return undefined
  const { record, keys, activation } = device
  const facts = JSON.stringify([record.toObject(), keys?.toObject(), activation?.toObject()])
  const items = device.queue.map(({ id, data, ...kept }) => ({
    ...kept,
    data: data.toString('hex'),
  }))
  const queue = items.map(({ data }) => data)
  return { name: record.getName(), facts, queue, items: items.map((item) => JSON.stringify(item)) }
}

function addDevice(
  { store, random, applicationId, deviceProfileId }: Owned,
  devEui: string,
  { name, kind }: { name: string; kind: RadioKind | undefined },
): void {
  const record = new devicePb.Device()
  record.setDevEui(devEui)
  record.setName(name)
  record.setApplicationId(applicationId)
  record.setDeviceProfileId(deviceProfileId)
  const keys = new devicePb.DeviceKeys()
  keys.setDevEui(devEui)
  const device: StoredDevice = { record, keys, queue: [], sensor: createSensor('door') }
  store.devices.set(devEui, device)
  if (!kind) return
  const { appKey, networkKey, devAddr } = ownerRadio
  record.setDeviceProfileId(addProfile(store, random.uuid(), kind))
  record.getTagsMap().set('floor', '3')
  keys.setNwkKey((kind === '1.1' ? networkKey : appKey).toLowerCase())
  if (kind === '1.1') keys.setAppKey(appKey.toLowerCase())
  if (kind !== 'abp') return
  delete device.keys
  const activation = new devicePb.DeviceActivation()
  activation.setDevEui(devEui)
  activation.setDevAddr(devAddr.toLowerCase())
  activation.setAppSKey(appKey.toLowerCase())
  activation.setNwkSEncKey(networkKey.toLowerCase())
  activation.setSNwkSIntKey(networkKey.toLowerCase())
  activation.setFNwkSIntKey(networkKey.toLowerCase())
  Object.assign(device, { activation, session: beginSession(activation.getDevAddr()) })
}

function addProfile({ tenantId, deviceProfiles }: Store, id: string, kind: RadioKind): string {
  deviceProfiles.set(id, {
    id,
    tenantId,
    name: `Simulated device profile ${kind}`,
    flushQueueOnActivate: true,
    supportsClassC: kind === 'class_c',
    supportsOtaa: kind !== 'abp',
    isLorawan11: kind === '1.1',
  })
  return id
}
