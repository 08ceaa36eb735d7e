import applicationGrpc from '@chirpstack/chirpstack-api/api/application_grpc_pb.js'
import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import deviceProfileGrpc from '@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js'
import gatewayGrpc from '@chirpstack/chirpstack-api/api/gateway_grpc_pb.js'
import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js'
import { connectAsync, type MqttClient } from 'mqtt'
import { type Clock, systemClock } from '../clock.ts'
import { createRandom, type Random } from '../random.ts'
import { type SensorKind, sensorKinds } from '../sensor-frames.ts'
import { createTraffic, type Traffic } from '../traffic.ts'
import { createTurns, type Turns } from '../turns.ts'
import { createApplicationService, createDeviceProfileService } from './application-routes.ts'
import { type DeliveryCounts, deliver } from './delivery.ts'
import { createDeviceService } from './device-routes.ts'
import { createFaults, type Faults } from './faults.ts'
import { createGatewayService } from './gateway-routes.ts'
import { type CallContext, listen } from './grpc-server.ts'
import { type Radio, rejoin, schedule, transmit } from './radio.ts'
import type { Store, StoredDevice, StoredProfile } from './store.ts'

export interface ChirpStackOptions {
  /** 127.0.0.1 by default. */
  host?: string
  /** Any free one by default. */
  port?: number
  apiKey?: string
  /** Whether the API key is a tenant's (default) or an administrator's. */
  keyKind?: 'tenant' | 'admin'
  /** The same seed makes the same ids and measurements. */
  seed?: number
  clock?: Clock
  /** How often an event that failed is sent again; like the real one, never by default. */
  retries?: number
  /** Whether a device joins as soon as it has its keys, which is so by default. */
  joinsAtOnce?: boolean
  /** The sensor that a new device is; by default a word of its name, or else its DevEUI, decides. */
  chooseSensor?(devEui: string, name: string): SensorKind
}

/** Where events go, with the header that proves where they come from. */
export interface Integration {
  url: string
  header: string
  value: string
}

export interface ChirpStackSimulator {
  /** Address of the gRPC API, `http://host:port`. */
  server: string
  /** The fields of PUT /network-accounts/chirpstack. */
  account: Record<string, string>
  apiKey: string
  tenantId: string
  applicationId: string
  deviceProfileId: string
  /** The HTTP integration of the application; undefined takes it away. */
  setIntegration(integration: Integration | undefined): void
  /** Sends the events to an MQTT broker as well. */
  connectBroker(url: string): Promise<void>
  faults: Faults
  counts: DeliveryCounts
  /** By DevEUI, 16 lower-case digits; so are the gateways. */
  devices: Store['devices']
  store: Store
  /** One uplink with all that follows from it; the next frame of the sensor unless one is given. */
  sendUplink(devEui: string, hexadecimal?: string): Promise<void>
  /** The device joins, or joins again; without keys it waits to be told. */
  join(devEui: string): Promise<void>
  /** Class C: sends the head of the queue without an uplink, as ChirpStack's scheduler does. */
  sendDownlink(devEui: string): Promise<void>
  /** Lets every device, those to come included, send about so often. */
  startTraffic(everyMs: number): void
  stopTraffic(): void
  /** Resolves when everything under way, joins for example, has been sent. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Starts a ChirpStack v4 with one tenant, application and device profile, and no devices. */
export async function startChirpStackSimulator(
  options: ChirpStackOptions = {},
): Promise<ChirpStackSimulator> {
  const { host = '127.0.0.1' } = options
  const world = createWorld(options)
  const { store, traffic, turns, radio } = world
  const { server, port } = await listen(createServices(world, options), host, options.port ?? 0)
  const address = `http://${host}:${port}`
  const { apiKey, tenantId, applicationId, deviceProfileId } = world.account
  return {
    ...world.account,
    account: {
      server: address,
      api_key: apiKey,
      tenant_id: tenantId,
      application_id: applicationId,
      device_profile_id: deviceProfileId,
    },
    server: address,
    faults: world.faults,
    counts: world.counts,
    devices: store.devices,
    store,
    setIntegration: (integration) => {
      store.integrations.delete(world.account.applicationId)
      if (!integration) return
      const { url, header, value } = integration
      const headers = { [header]: value }
      store.integrations.set(world.account.applicationId, { url, headers, isJson: true })
    },
    connectBroker: async (url) => {
      world.broker = await connectAsync(url)
    },
    sendUplink: async (devEui, hexadecimal) => {
      const device = findOnAir(store, devEui)
      const payload = hexadecimal === undefined ? undefined : Buffer.from(hexadecimal, 'hex')
      await turns.run(device, () => transmit(radio, device, payload))
    },
    join: async (devEui) => {
      const device = findOnAir(store, devEui)
      await turns.run(device, async () => void (await rejoin(radio, device)))
    },
    sendDownlink: async (devEui) => {
      const device = findOnAir(store, devEui)
      await turns.run(device, () => schedule(radio, device))
    },
    startTraffic: traffic.start,
    stopTraffic: traffic.stop,
    settle: turns.settle,
    close: async () => {
      traffic.stop()
      server.forceShutdown()
      await turns.settle()
      await world.broker?.endAsync(true)
    },
  }
}

interface World extends CallContext {
  account: Record<'apiKey' | 'tenantId' | 'applicationId' | 'deviceProfileId', string>
  counts: DeliveryCounts
  radio: Radio
  turns: Turns<StoredDevice>
  traffic: Traffic<StoredDevice>
  broker?: MqttClient
}

function createWorld(options: ChirpStackOptions): World {
  const { clock = systemClock, keyKind = 'tenant', retries = 0 } = options
  const random = createRandom(options.seed ?? 1)
  const { store, ...account } = createStore(random)
  const apiKey = options.apiKey ?? `simulated-${random.hexadecimal(16)}`
  const faults = createFaults()
  const counts: DeliveryCounts = { delivered: 0, failed: 0, lost: 0 }
  const radio: Radio = {
    store,
    random,
    faults,
    now: () => clock.now(),
    send: (event) =>
      deliver({ clock, faults, random, store, counts, retries }, world.broker, event),
  }
  const turns = createTurns<StoredDevice>()
  const fleet = {
    all: () => store.devices.values(),
    maySend: (device: StoredDevice) =>
      store.devices.get(device.record.getDevEui()) === device &&
      device.keys !== undefined &&
      !device.record.getIsDisabled(),
  }
  const traffic = createTraffic({ clock, random, fleet }, (device) =>
    turns.run(device, () => transmit(radio, device)),
  )
  const context = { apiKey, keyKind, faults, clock, random, store }
  const world: World = {
    ...context,
    account: { ...account, apiKey },
    counts,
    radio,
    turns,
    traffic,
  }
  return world
}

function createServices(
  world: World,
  { chooseSensor = guessSensor, joinsAtOnce = true }: ChirpStackOptions,
): [ServiceDefinition, UntypedServiceImplementation][] {
  const onKeys = (device: StoredDevice) => {
    if (joinsAtOnce) {
      void world.turns.run(device, async () => void (await rejoin(world.radio, device)))
    }
    world.traffic.schedule(device)
  }
  return [
    [deviceGrpc.DeviceServiceService, createDeviceService(world, { chooseSensor, onKeys })],
    [gatewayGrpc.GatewayServiceService, createGatewayService(world)],
    [applicationGrpc.ApplicationServiceService, createApplicationService(world)],
    [deviceProfileGrpc.DeviceProfileServiceService, createDeviceProfileService(world)],
  ]
}

function createStore(random: Random) {
  const tenantId = random.uuid()
  const applicationId = random.uuid()
  const deviceProfileId = random.uuid()
  const application = { id: applicationId, tenantId, name: 'Simulated application' }
  const profile: StoredProfile = {
    id: deviceProfileId,
    tenantId,
    name: 'Simulated device profile',
    // As ChirpStack's console makes them, ui/src/views/device-profiles/CreateDeviceProfile.tsx.
    flushQueueOnActivate: true,
    supportsClassC: false,
  }
  const store: Store = {
    tenantId,
    applications: new Map([[applicationId, application]]),
    deviceProfiles: new Map([[deviceProfileId, profile]]),
    devices: new Map(),
    gateways: new Map(),
    integrations: new Map(),
    maxDeviceCount: undefined,
  }
  return { store, tenantId, applicationId, deviceProfileId }
}

function findOnAir(store: Store, devEui: string): StoredDevice {
  const device = store.devices.get(devEui.toLowerCase())
  if (!device?.keys) throw new Error(`There is no device ${devEui} that has its keys.`)
  return device
}

function guessSensor(devEui: string, name: string): SensorKind {
  const words = name.toLowerCase()
  const named = sensorKinds.find((kind) => words.includes(kind))
  const last = Number.parseInt(devEui.slice(-2), 16)
  return named ?? sensorKinds[last % sensorKinds.length] ?? 'door'
}
