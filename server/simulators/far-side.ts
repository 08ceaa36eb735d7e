// The part that the simulated networks share: devices with their radio, and messages to callbacks.
import type { Right } from '../src/networks/capabilities.ts'
import type { Dialect, FarCallback, FarDevice, FarGateway } from './far-dialect.ts'
import { type FarHttp, type FarHttpOptions, listen } from './far-http.ts'
import { createDevice, join, type Radio, transmit } from './far-radio.ts'
import { controlsOf, createFarWorld, type FarWorld } from './far-world.ts'
import type { Random } from './random.ts'
import type { SimulatedNetwork, SimulatorOptions } from './simulated-network.ts'

export interface FarSide<Device, Gateway> {
  http: FarHttp
  random: Random
  devices: Map<string, FarDevice<Device>>
  gateways: Map<string, FarGateway<Gateway>>
  /** Callbacks of the account's own application. */
  callbacks: FarCallback[]
  now(): number
  /** Adds a device to the network, and the device joins. Replaces a device with the same EUI. */
  putDevice(devEui: string, name: string, record: Device): FarDevice<Device>
  /** Adds the network's own members to the common ones. */
  simulate(
    own: Pick<SimulatedNetwork, 'network' | 'account' | 'wrongAccount' | 'addDevice'> & OwnBounds,
  ): SimulatedNetwork
}

/** Members that only some networks have. */
type OwnBounds = Partial<
  Pick<
    SimulatedNetwork,
    | 'spoilCallbacks'
    | 'kinds'
    | 'longestName'
    | 'rights'
    | 'deny'
    | 'setRoom'
    | 'addForeignDownlink'
    | 'emptyQueue'
    | 'changeKey'
  >
>

export async function createFarSide<Device, Gateway>(
  options: SimulatorOptions,
  dialect: Dialect<Device>,
  createHttp: (side: FarSide<Device, Gateway>) => FarHttpOptions,
): Promise<FarSide<Device, Gateway>> {
  const devices = new Map<string, FarDevice<Device>>()
  const fleet = {
    all: () => devices.values(),
    maySend: (device: FarDevice<Device>) => devices.get(device.devEui) === device,
  }
  const world: FarWorld<FarDevice<Device>> = await createFarWorld(options, {
    fleet,
    transmit: (device) => transmit(radio, device),
    callbacks: () => side.callbacks,
    isAway: () => side.http.faults.isAway,
  })
  const { clock, random, turns, traffic, send } = world
  const side = {
    random,
    devices,
    gateways: new Map<string, FarGateway<Gateway>>(),
    callbacks: [] as FarCallback[],
    now: () => clock.now(),
    putDevice(devEui: string, name: string, record: Device) {
      const device = createDevice(random, devEui, name, record)
      devices.set(device.devEui, device)
      void turns.run(device, () => join(radio, device))
      traffic.schedule(device)
      return device
    },
  } as FarSide<Device, Gateway>
  const radio: Radio<Device> = { dialect, random, now: side.now, reportDelayMs: 0, send }
  side.http = await listen(
    { now: side.now, ...createHttp(side) },
    options.host ?? '127.0.0.1',
    options.port ?? 0,
  )
  side.simulate = (own) => ({
    spoilCallbacks: () => {},
    kinds: [],
    longestName: {},
    rights: {},
    ...(dialect.ask ? {} : queueOf(side)),
    delayReports: (milliseconds) => {
      radio.reportDelayMs = milliseconds
    },
    ...own,
    setCallback: (callback) => {
      side.callbacks = callback
        ? [{ url: callback.url, headers: { [callback.header]: callback.value } }]
        : []
    },
    findDevice: (devEui) => toFound(devices.get(devEui.toUpperCase())),
    findGateway: (eui) => toFound(side.gateways.get(eui.toUpperCase())),
    deviceEuis: () => [...devices.keys()],
    sendUplink: async (devEui, hexadecimal) => {
      const device = devices.get(devEui.toUpperCase())
      if (!device) throw new Error(`There is no device ${devEui}.`)
      const payload = hexadecimal === undefined ? undefined : Buffer.from(hexadecimal, 'hex')
      await turns.run(device, () => transmit(radio, device, payload))
    },
    setAway: (isAway) => {
      side.http.faults.isAway = isAway
    },
    refuse: (words) => {
      side.http.faults.refusal = words
    },
    ...controlsOf(world, side.http.restrictions),
    ...rightsOf(side.http),
    close: () => world.close(side.http.close),
  })
  return side
}

function queueOf<Device>({ devices, random }: Pick<FarSide<Device, never>, 'devices' | 'random'>) {
  return {
    addForeignDownlink: (devEui: string, hexadecimal: string) => {
      const data = Buffer.from(hexadecimal, 'hex')
      const item = { id: random.hexadecimal(8), fPort: 10, data, confirmed: true }
      devices.get(devEui.toUpperCase())?.queue.push(item)
    },
    emptyQueue: (devEui: string) => {
      devices.get(devEui.toUpperCase())?.queue.splice(0)
    },
  }
}

function rightsOf({ restrictions, hasRights }: FarHttp): Pick<SimulatedNetwork, 'deny'> {
  if (!hasRights) return {}
  return {
    deny: (rights: readonly Right[]) => {
      restrictions.denied = rights
    },
  }
}

type Named = Pick<FarGateway<unknown>, 'name' | 'record'>

function toFound(kept: (Named & Partial<Pick<FarDevice<unknown>, 'queue'>>) | undefined) {
  if (!kept) return undefined
  const { name, record, queue = [] } = kept
  return {
    name,
    facts: JSON.stringify(record),
    queue: queue.map(({ data }) => data.toString('hex')),
    items: queue.map(({ id, ...item }) => JSON.stringify(item)),
  }
}
