// API v1, /devices: OlegZv/machineq, core/device.

import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarDevice } from '../far-dialect.ts'
import {
  type DeviceRecord,
  deviceProfile,
  foreignEui,
  membersOf,
  ok,
  refuse,
  type Side,
  type Store,
  serviceProfile,
} from './store.ts'

type Device = FarDevice<DeviceRecord>

export function createDeviceRoutes(side: Side, store: Store): FarRoute[] {
  const aboutDevice =
    (handle: (device: Device, call: FarCall) => FarAnswer): FarRoute[2] =>
    (call) => {
      const device = side.devices.get((call.params.device ?? '').toUpperCase())
      return device ? handle(device, call) : refuse(5, 'Device not found')
    }
  return [
    ['GET', '/v1/devices', () => ok({ Devices: [...side.devices.values()].map(describe) })],
    ['POST', '/v1/devices', (call) => createDevice(side, store, call)],
    ['GET', '/v1/devices/:device', aboutDevice((device) => ok(describe(device)))],
    ['PATCH', '/v1/devices/:device', aboutDevice(changeDevice)],
    [
      'DELETE',
      '/v1/devices/:device',
      aboutDevice(({ devEui }) => {
        side.devices.delete(devEui)
        return ok()
      }),
    ],
    ['POST', '/v1/devices/:device/message', (call) => enqueue(side, call)],
  ]
}

function describe({ devEui, name, record }: Device) {
  const { ServiceProfile, DeviceProfile, OutputProfile, ActivationType } = record
  const profiles = { ServiceProfile, DeviceProfile, OutputProfile }
  return { Name: name, DevEUI: devEui, ActivationType, DecoderType: '', ...profiles }
}

function createDevice(side: Side, store: Store, call: FarCall): FarAnswer {
  const sent = membersOf(call)
  const isHex = (name: string, digits: number) =>
    typeof sent[name] === 'string' && new RegExp(`^[0-9a-f]{${digits}}$`, 'i').test(sent[name])
  if (typeof sent.Name !== 'string' || sent.Name === '') return refuse(3, 'Name is required')
  if (!isHex('DevEUI', 16)) return refuse(3, 'DevEUI is invalid')
  const ActivationType = isActivation(sent.ActivationType) ? sent.ActivationType : undefined
  if (!ActivationType) return refuse(3, 'ActivationType is invalid')
  const wrong = Object.entries(digitsOf[ActivationType]).find(
    ([name, count]) => !isHex(name, count),
  )
  if (wrong) return refuse(3, `${wrong[0]} is invalid`)
  if (sent.ServiceProfile !== serviceProfile) return refuse(3, 'ServiceProfile is invalid')
  if (sent.DeviceProfile !== deviceProfile) return refuse(3, 'DeviceProfile is invalid')
  const output = String(sent.OutputProfile ?? '')
  if (output !== '' && !store.outputProfiles.has(output))
    return refuse(3, 'OutputProfile is invalid')
  const eui = String(sent.DevEUI).toUpperCase()
  if (side.devices.has(eui) || eui === foreignEui) return refuse(6, 'DevEUI already exists')
  side.putDevice(eui, sent.Name, {
    ServiceProfile: serviceProfile,
    DeviceProfile: deviceProfile,
    OutputProfile: output,
    ActivationType,
    ...keysOf(sent, ActivationType),
  })
  return ok({ Id: eui })
}

/** By activation: its own members, and their numbers of digits. */
const digitsOf = {
  OTAA: { ApplicationEUI: 16, ApplicationKey: 32 },
  ABP: { DevAddr: 8, NetworkSKey: 32, ApplicationSKey: 32 },
} as const

function isActivation(value: unknown): value is keyof typeof digitsOf {
  return typeof value === 'string' && Object.hasOwn(digitsOf, value)
}

function keysOf(sent: Record<string, unknown>, activation: keyof typeof digitsOf) {
  return Object.fromEntries(Object.keys(digitsOf[activation]).map((name) => [name, sent[name]]))
}

function changeDevice(device: Device, call: FarCall): FarAnswer {
  const { Name, OutputProfile } = membersOf(call)
  if (typeof Name === 'string') device.name = Name
  if (typeof OutputProfile === 'string') device.record.OutputProfile = OutputProfile
  return ok()
}

/** The payload is hexadecimal, and the port is a string. */
function enqueue(side: Side, call: FarCall): FarAnswer {
  const device = side.devices.get((call.params.device ?? '').toUpperCase())
  if (!device) return refuse(3, 'Invalid DevEUI')
  const { Payload, TargetPort, Confirm, FlushQueue } = membersOf(call)
  if (typeof TargetPort !== 'string' || !/^\d{1,3}$/.test(TargetPort)) {
    return refuse(3, 'TargetPort is invalid')
  }
  if (typeof Payload !== 'string' || !/^([0-9a-f]{2})+$/i.test(Payload)) {
    return refuse(3, 'Payload is invalid')
  }
  if (FlushQueue === true) device.queue.length = 0
  device.queue.push({
    id: side.random.hexadecimal(8),
    fPort: Number(TargetPort),
    data: Buffer.from(Payload, 'hex'),
    confirmed: Confirm === true,
  })
  return ok()
}
