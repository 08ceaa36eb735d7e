// Simulates ChirpStack v4: its gRPC API, its radio and its events.
import applicationGrpc from '@chirpstack/chirpstack-api/api/application_grpc_pb.js'
import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import deviceProfileGrpc from '@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js'
import gatewayGrpc from '@chirpstack/chirpstack-api/api/gateway_grpc_pb.js'
import tenantGrpc from '@chirpstack/chirpstack-api/api/tenant_grpc_pb.js'
import { createRestrictions } from '../far-restrictions.ts'
import { controlsOf, createFarWorld } from '../far-world.ts'
import type { SimulatedNetwork, SimulatorOptions } from '../simulated-network.ts'
import { createApplicationService } from './application-routes.ts'
import { listCallbacks, sendEvent } from './delivery.ts'
import { createDeviceService } from './device-routes.ts'
import { createFaults, type Faults } from './faults.ts'
import { createGatewayService } from './gateway-routes.ts'
import { type CallContext, listen } from './grpc-server.ts'
import { createOwner } from './owner.ts'
import { createDeviceProfileService } from './profile-routes.ts'
import { type Radio, rejoin, schedule, transmit } from './radio.ts'
import { createStore, type Store, type StoredDevice } from './store.ts'
import { createTenantService } from './tenant-routes.ts'

export interface ChirpStackOptions extends SimulatorOptions {
  /** Whether the API key belongs to a tenant (default) or an administrator. */
  keyKind?: 'tenant' | 'admin'
  /** Whether a device joins as soon as it has its keys; true by default. */
  joinsAtOnce?: boolean
}

export interface ChirpStackSimulator extends SimulatedNetwork {
  /** Address of the gRPC API, `http://host:port`. */
  server: string
  apiKey: string
  tenantId: string
  applicationId: string
  deviceProfileId: string
  faults: Faults
  store: Store
  /** By DevEUI, 16 lower-case digits. The gateways have the same form of key. */
  devices: Store['devices']
  /** Makes the device join, or join again. Throws if the device has no keys. */
  join(devEui: string): Promise<void>
  /** Class C: sends the head of the queue without an uplink, as ChirpStack's scheduler does. */
  sendDownlink(devEui: string): Promise<void>
}

/** Starts a ChirpStack with one tenant, one application, one device profile and no devices. */
export async function startSimulator(
  options: ChirpStackOptions = {},
): Promise<ChirpStackSimulator> {
  const { host = '127.0.0.1', keyKind = 'tenant', joinsAtOnce = true } = options
  const world = await createFarWorld<StoredDevice>(options, {
    fleet: { all: () => store.devices.values(), maySend: (device) => isOnAir(store, device) },
    transmit: (device) => transmit(radio, device),
    callbacks: () => listCallbacks(store),
    isAway: () => faults.isAway,
  })
  const { clock, random, turns, traffic } = world
  const { store, ...ids } = createStore(random)
  const apiKey = `simulated-${random.hexadecimal(16)}`
  const faults = createFaults()
  const restrictions = createRestrictions()
  const radio: Radio = {
    store,
    random,
    faults,
    now: () => clock.now(),
    send: (event) => sendEvent(world, faults, event),
  }
  const join = (device: StoredDevice) =>
    turns.run(device, async () => void (await rejoin(radio, device)))
  const onKeys = (device: StoredDevice) => {
    if (joinsAtOnce && !device.activation) void join(device)
    traffic.schedule(device)
  }
  const context = { apiKey, keyKind, faults, restrictions, clock, random, store }
  const grpc = await listen(createServices(context, onKeys), host, options.port ?? 0)
  const server = `http://${host}:${grpc.port}`
  return {
    network: 'chirpstack',
    account: {
      server,
      api_key: apiKey,
      tenant_id: ids.tenantId,
      application_id: ids.applicationId,
      device_profile_id: ids.deviceProfileId,
    },
    wrongAccount: { api_key: 'wrong' },
    server,
    apiKey,
    ...ids,
    faults,
    store,
    devices: store.devices,
    rights: {},
    longestName: { device: 100, gateway: 100 },
    ...createOwner({ store, random, faults, ...ids }),
    ...controlsOf(world, restrictions),
    join: (devEui) => join(findOnAir(store, devEui)),
    sendUplink: async (devEui, hexadecimal) => {
      const device = findOnAir(store, devEui)
      const payload = hexadecimal === undefined ? undefined : Buffer.from(hexadecimal, 'hex')
      await turns.run(device, () => transmit(radio, device, payload))
    },
    sendDownlink: async (devEui) => {
      const device = findOnAir(store, devEui)
      await turns.run(device, () => schedule(radio, device))
    },
    close: () => world.close(async () => grpc.server.forceShutdown()),
  }
}

function createServices(
  context: CallContext,
  onKeys: (device: StoredDevice) => void,
): Parameters<typeof listen>[0] {
  return [
    [deviceGrpc.DeviceServiceService, createDeviceService(context, onKeys)],
    [gatewayGrpc.GatewayServiceService, createGatewayService(context)],
    [applicationGrpc.ApplicationServiceService, createApplicationService(context)],
    [deviceProfileGrpc.DeviceProfileServiceService, createDeviceProfileService(context)],
    [tenantGrpc.TenantServiceService, createTenantService(context)],
  ]
}

function isOnAir(store: Store, device: StoredDevice): boolean {
  const isKnown = store.devices.get(device.record.getDevEui()) === device
  const isActivated = device.keys !== undefined || device.activation !== undefined
  return isKnown && isActivated && !device.record.getIsDisabled()
}

function findOnAir(store: Store, devEui: string): StoredDevice {
  const device = store.devices.get(devEui.toLowerCase())
  if (!device?.keys && !device?.activation)
    throw new Error(`There is no device ${devEui} that has its keys.`)
  return device
}
