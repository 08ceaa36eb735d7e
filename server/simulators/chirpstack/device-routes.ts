// DeviceService, api/proto/api/device.proto. The answers are those of chirpstack/src/api/device.rs.

import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import devicePb, {
  type ActivateDeviceRequest,
  type CreateDeviceKeysRequest,
  type CreateDeviceRequest,
  type DeviceKeys,
  type ListDevicesRequest,
  type UpdateDeviceKeysRequest,
  type UpdateDeviceRequest,
} from '@chirpstack/chirpstack-api/api/device_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import type { UntypedServiceImplementation } from '@grpc/grpc-js'
// @ts-expect-error: it comes with ChirpStack's stubs, and without types.
import timestampPb from 'google-protobuf/google/protobuf/timestamp_pb.js'
import { guessSensor } from '../far-radio.ts'
import { createSensor } from '../sensor-frames.ts'
import { type CallContext, checkName, duplicate, invalid, serve } from './grpc-server.ts'
import { createQueueCalls } from './queue-routes.ts'
import { beginSession } from './radio.ts'
import { requireApplication, requireDevice, requireVisible } from './rights.ts'
import type { StoredDevice } from './store.ts'

const { DeviceClass } = commonPb
const service = deviceGrpc.DeviceServiceService

/** Called when a device has its keys and is able to join. */
type OnKeys = (device: StoredDevice) => void

export function createDeviceService(
  context: CallContext,
  onKeys: OnKeys,
): UntypedServiceImplementation {
  return {
    create: serve(context, service.create, (request) => create(context, request)),
    get: serve(context, service.get, (request) => {
      const { record, session, lastSeenAt } = requireDevice(context, request.getDevEui())
      const profile = context.store.deviceProfiles.get(record.getDeviceProfileId())
      const response = new devicePb.GetDeviceResponse()
      response.setDevice(record)
      // For LoRaWAN 1.0.x the class is set with the join, chirpstack/src/uplink/join.rs.
      const isClassC = session !== undefined && profile?.supportsClassC
      response.setClassEnabled(isClassC ? DeviceClass.CLASS_C : DeviceClass.CLASS_A)
      if (lastSeenAt) response.setLastSeenAt(timestampPb.Timestamp.fromDate(new Date(lastSeenAt)))
      return response
    }),
    update: serve(context, service.update, (request) => update(context, request)),
    delete: serve(context, service.delete, (request) => {
      const { record } = requireDevice(context, request.getDevEui())
      context.store.devices.delete(record.getDevEui())
      return undefined
    }),
    list: serve(context, service.list, (request) => list(context, request)),
    createKeys: serve(context, service.createKeys, (request) =>
      createKeys(context, onKeys, request),
    ),
    getKeys: serve(context, service.getKeys, (request) => {
      const response = new devicePb.GetDeviceKeysResponse()
      response.setDeviceKeys(requireKeys(context, request.getDevEui()))
      return response
    }),
    updateKeys: serve(context, service.updateKeys, (request) => updateKeys(context, request)),
    deleteKeys: serve(context, service.deleteKeys, (request) => {
      requireKeys(context, request.getDevEui())
      delete requireDevice(context, request.getDevEui()).keys
      return undefined
    }),
    activate: serve(context, service.activate, (request) => activate(context, onKeys, request)),
    ...createQueueCalls(context),
  }
}

function requireKeys(context: CallContext, devEui: string): DeviceKeys {
  const { keys } = requireDevice(context, devEui)
  // The permission check is the device's. Therefore even a tenant's key gets the answer that the
  // keys are missing.
  return requireVisible({ ...context, keyKind: 'admin' }, keys, { id: devEui, tenantId: undefined })
}

function create(context: CallContext, request: CreateDeviceRequest) {
  const record = request.getDevice()
  if (!record) throw invalid('device is missing')
  record.setDevEui(record.getDevEui().toLowerCase())
  requireApplication(context, record.getApplicationId())
  // Source: chirpstack/src/storage/device.rs, create.
  if (context.store.devices.size >= (context.store.maxDeviceCount ?? Infinity)) {
    throw invalid('Not allowed (Max number of devices exceeded for tenant)')
  }
  checkName(record.getName())
  const { devices, deviceProfiles } = context.store
  if (devices.has(record.getDevEui())) throw duplicate('device_pkey')
  if (!deviceProfiles.has(record.getDeviceProfileId())) throw invalid('Unknown device profile')
  const sensor = createSensor(guessSensor(record.getDevEui(), record.getName()))
  devices.set(record.getDevEui(), { record, queue: [], sensor })
  return undefined
}

function update(context: CallContext, request: UpdateDeviceRequest) {
  const record = request.getDevice()
  if (!record) throw invalid('device is missing')
  const device = requireDevice(context, record.getDevEui())
  requireApplication(context, record.getApplicationId())
  checkName(record.getName())
  record.setDevEui(device.record.getDevEui())
  device.record = record
  return undefined
}

function list(context: CallContext, request: ListDevicesRequest) {
  requireApplication(context, request.getApplicationId())
  const matches = [...context.store.devices.values()].filter(
    ({ record }) =>
      record.getApplicationId() === request.getApplicationId() &&
      record.getName().toLowerCase().includes(request.getSearch().toLowerCase()),
  )
  const response = new devicePb.ListDevicesResponse()
  response.setTotalCount(matches.length)
  const offset = request.getOffset()
  for (const { record } of matches.slice(offset, offset + request.getLimit())) {
    const item = new devicePb.DeviceListItem()
    item.setDevEui(record.getDevEui())
    item.setName(record.getName())
    item.setDescription(record.getDescription())
    const profile = context.store.deviceProfiles.get(record.getDeviceProfileId())
    item.setDeviceProfileId(record.getDeviceProfileId())
    item.setDeviceProfileName(profile?.name ?? '')
    for (const [key, value] of record.getTagsMap().getEntryList()) item.getTagsMap().set(key, value)
    response.addResult(item)
  }
  return response
}

function createKeys(context: CallContext, onKeys: OnKeys, request: CreateDeviceKeysRequest) {
  const keys = readKeys(request)
  const device = requireDevice(context, keys.getDevEui())
  if (device.keys) throw duplicate('device_keys_pkey')
  device.keys = keys
  onKeys(device)
  return undefined
}

/** Begins a session with new counters, whatever the profile says of joins (api/device.rs, activate). */
function activate(context: CallContext, onKeys: OnKeys, request: ActivateDeviceRequest) {
  const activation = request.getDeviceActivation()
  if (!activation) throw invalid('device_activation is missing')
  const device = requireDevice(context, activation.getDevEui())
  const profile = context.store.deviceProfiles.get(device.record.getDeviceProfileId())
  const keys = [
    activation.getAppSKey(),
    activation.getNwkSEncKey(),
    activation.getSNwkSIntKey(),
    activation.getFNwkSIntKey(),
  ]
  if (!/^[0-9a-f]{8}$/i.test(activation.getDevAddr())) throw invalid('dev_addr is no DevAddr')
  if (keys.some((key) => !/^[0-9a-f]{32}$/i.test(key))) throw invalid('a session key is wrong')
  device.activation = activation
  device.session = beginSession(activation.getDevAddr().toLowerCase())
  if (profile?.flushQueueOnActivate) device.queue = []
  onKeys(device)
  return undefined
}

function updateKeys(context: CallContext, request: UpdateDeviceKeysRequest) {
  const keys = readKeys(request)
  requireKeys(context, keys.getDevEui())
  requireDevice(context, keys.getDevEui()).keys = keys
  return undefined
}

function readKeys(request: CreateDeviceKeysRequest | UpdateDeviceKeysRequest): DeviceKeys {
  const keys = request.getDeviceKeys()
  if (!keys) throw invalid('device_keys is missing')
  if (!/^[0-9a-f]{32}$/i.test(keys.getNwkKey())) throw invalid('nwk_key is not a key of 128 bits')
  return keys
}
