import { randomUUID } from 'node:crypto'
import devicePb from '@chirpstack/chirpstack-api/api/device_pb.js'
import { status } from '@grpc/grpc-js'
import { createSensor } from '../sensor-frames.ts'
import type { SimulatedNetwork, SimulatorOptions } from '../simulated-network.ts'
import { startChirpStackSimulator } from './chirpstack-simulator.ts'

/** The ChirpStack simulator as any other simulated network. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<SimulatedNetwork> {
  const simulator = await startChirpStackSimulator(options)
  if (options.brokerUrl) await simulator.connectBroker(options.brokerUrl)
  const { applicationId, deviceProfileId, faults, devices } = simulator
  return {
    network: 'chirpstack',
    account: simulator.account,
    wrongAccount: { api_key: 'wrong' },
    setCallback: simulator.setIntegration,
    spoilCallbacks(how) {
      const { integrations } = simulator.store
      if (how === 'delete') integrations.clear()
      for (const { headers } of integrations.values()) {
        for (const name of Object.keys(headers)) headers[name] = 'changed'
      }
    },
    findDevice(devEui) {
      const device = devices.get(devEui.toLowerCase())
      if (!device) return undefined
      const queue = device.queue.map(({ data }) => Buffer.from(data).toString('hex'))
      const facts = JSON.stringify([device.record.toObject(), device.keys?.toObject()])
      const items = device.queue.map(({ id, data, ...kept }) =>
        JSON.stringify({ ...kept, data: Buffer.from(data).toString('hex') }),
      )
      return { name: device.record.getName(), facts, queue, items }
    },
    findGateway(gatewayEui) {
      const gateway = simulator.store.gateways.get(gatewayEui.toLowerCase())
      if (!gateway) return undefined
      const facts = JSON.stringify(gateway.toObject())
      return { name: gateway.getName(), facts, queue: [], items: [] }
    },
    deviceEuis: () => [...devices.keys()].map((devEui) => devEui.toUpperCase()),
    addDevice(devEui, name) {
      const record = new devicePb.Device()
      record.setDevEui(devEui.toLowerCase())
      record.setName(name)
      record.setApplicationId(applicationId)
      record.setDeviceProfileId(deviceProfileId)
      const keys = new devicePb.DeviceKeys()
      keys.setDevEui(devEui.toLowerCase())
      devices.set(devEui.toLowerCase(), { record, keys, queue: [], sensor: createSensor('door') })
    },
    changeKey: (devEui, key) =>
      void devices.get(devEui.toLowerCase())?.keys?.setNwkKey(key.toLowerCase()),
    sendUplink: simulator.sendUplink,
    startTraffic: simulator.startTraffic,
    stopTraffic: simulator.stopTraffic,
    setAway: (isAway) => {
      faults.isAway = isAway
    },
    refuse: (words) => {
      const refusal =
        words === undefined ? undefined : { code: status.INVALID_ARGUMENT, message: words }
      faults.refusals = Object.fromEntries(
        changingCalls.flatMap((path) => (refusal ? [[path, refusal] as const] : [])),
      )
    },
    throttle: (callsPerMinute) => {
      faults.callsPerMinute = callsPerMinute
    },
    fail: (eui, isFailing) => {
      if (isFailing) faults.failing.add(eui.toLowerCase())
      else faults.failing.delete(eui.toLowerCase())
    },
    emptyQueue: (devEui) => {
      const device = devices.get(devEui.toLowerCase())
      if (device) device.queue = []
    },
    delayReports: (milliseconds) => {
      faults.gatewayDelayMs = milliseconds
    },
    addForeignDownlink: (devEui, hexadecimal) => {
      devices.get(devEui.toLowerCase())?.queue.push({
        id: randomUUID(),
        fPort: 10,
        data: Buffer.from(hexadecimal, 'hex'),
        confirmed: true,
        fCntDown: undefined,
        isPending: false,
      })
    },
    setRoom: (devices) => {
      simulator.store.maxDeviceCount = devices
    },
    rights: {},
    longestName: { device: 100, gateway: 100 },
    counts: simulator.counts,
    settle: simulator.settle,
    close: simulator.close,
  }
}

const changingCalls = [
  '/api.DeviceService/Create',
  '/api.DeviceService/Update',
  '/api.DeviceService/Enqueue',
  '/api.GatewayService/Create',
  '/api.GatewayService/Update',
]
