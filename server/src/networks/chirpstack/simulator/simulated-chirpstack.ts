import devicePb from '@chirpstack/chirpstack-api/api/device_pb.js'
import { status } from '@grpc/grpc-js'
import { createSensor } from '../../simulator/sensor-frames.ts'
import type { SimulatedNetwork, SimulatorOptions } from '../../simulator/simulated-network.ts'
import { startChirpStackSimulator } from './chirpstack-simulator.ts'

/** The ChirpStack simulator as any other simulated network. */
export async function start(options: SimulatorOptions = {}): Promise<SimulatedNetwork> {
  const simulator = await startChirpStackSimulator(options)
  if (options.brokerUrl) await simulator.connectBroker(options.brokerUrl)
  const { server, apiKey, tenantId, applicationId, deviceProfileId, faults, devices } = simulator
  return {
    network: 'chirpstack',
    account: {
      server,
      api_key: apiKey,
      tenant_id: tenantId,
      application_id: applicationId,
      device_profile_id: deviceProfileId,
    },
    wrongAccount: { api_key: 'wrong' },
    setCallback: simulator.setIntegration,
    findDevice(devEui) {
      const device = devices.get(devEui.toLowerCase())
      if (!device) return undefined
      const queue = device.queue.map(({ data }) => Buffer.from(data).toString('hex'))
      const facts = JSON.stringify([device.record.toObject(), device.keys?.toObject()])
      return { name: device.record.getName(), facts, queue }
    },
    findGateway(gatewayEui) {
      const gateway = simulator.store.gateways.get(gatewayEui.toLowerCase())
      return (
        gateway && { name: gateway.getName(), facts: JSON.stringify(gateway.toObject()), queue: [] }
      )
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
