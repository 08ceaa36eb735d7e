// Public NWK REST API 5.0, /1/nwk/app/{APPID}/..., and the downlink call of docs.loriot.io.

import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarDevice } from '../far-dialect.ts'
import {
  type DeviceRecord,
  membersOf,
  ok,
  pageOf,
  refuse,
  type Side,
  type Store,
  textOf,
} from './store.ts'

type Handler = (call: FarCall, device: FarDevice<DeviceRecord>) => FarAnswer

export function createApplicationRoutes(side: Side, store: Store): FarRoute[] {
  const inApplication =
    (handle: (call: FarCall) => FarAnswer): FarRoute[2] =>
    (call) =>
      call.params.app === store.applicationId ? handle(call) : refuse(403, 'Forbidden')
  const aboutDevice = (handle: Handler, missing = refuse(400, 'Device not found')): FarRoute[2] =>
    inApplication((call) => {
      const device = side.devices.get((call.params.device ?? '').toUpperCase())
      return device ? handle(call, device) : missing
    })
  // The only refusal that the API file lists for these calls.
  const forbidden = refuse(403, 'Not enough permissions')
  const app = '/1/nwk/app/:app'
  return [
    ['GET', '/1/nwk/apps', (call) => pageOf([describeApplication(side, store)], 'apps', call)],
    ['GET', `${app}/app`, inApplication(() => ok(describeApplication(side, store)))],
    ['GET', `${app}/devices`, inApplication((call) => listDevices(side, call))],
    ['POST', `${app}/devices/otaa`, inApplication((call) => createDevice(side, store, call))],
    ['GET', `${app}/device/:device`, aboutDevice((_call, device) => ok(describe(device)))],
    ['POST', `${app}/device/:device`, aboutDevice(updateDevice)],
    [
      'DELETE',
      `${app}/device/:device`,
      aboutDevice((_call, { devEui }) => {
        side.devices.delete(devEui)
        return ok({})
      }),
    ],
    ['POST', `${app}/device/:device/appkey`, aboutDevice(setKey, forbidden)],
    [
      'POST',
      `${app}/device/:device/flushqueue`,
      aboutDevice((_call, device) => {
        device.queue.length = 0
        return { status: 204 }
      }, forbidden),
    ],
    ['GET', `${app}/token`, inApplication(() => ok(store.tokens))],
    ['POST', `${app}/token`, inApplication(() => createToken(side, store))],
    ['POST', '/1/rest', (call) => enqueue(side, store, call)],
  ]
}

function describeApplication(side: Side, { applicationId }: Store) {
  return { _id: Number.parseInt(applicationId, 16), name: 'Sensors', devices: side.devices.size }
}

/** `seqq` also counts the queued downlinks. */
function describe({
  devEui,
  name,
  record,
  devAddr,
  fCntUp,
  fCntDown,
  queue,
}: FarDevice<DeviceRecord>) {
  return {
    _id: devEui,
    title: name,
    devaddr: devAddr,
    appeui: record.appeui,
    devclass: record.devclass,
    seqno: fCntUp,
    seqdn: fCntDown,
    seqq: fCntDown + queue.length,
  }
}

function listDevices(side: Side, call: FarCall): FarAnswer {
  return pageOf([...side.devices.values()].map(describe), 'devices', call)
}

function createDevice(side: Side, store: Store, call: FarCall): FarAnswer {
  const members = membersOf(call)
  const eui = textOf(members, 'deveui') ?? ''
  const key = textOf(members, 'appkey') ?? ''
  const appeui = textOf(members, 'appeui') ?? ''
  const title = textOf(members, 'title')
  if (!title || !textOf(members, 'devclass')) return refuse(400, 'Missing parameters')
  if (!/^[0-9a-f]{16}$/i.test(eui)) return refuse(400, 'Invalid device EUI')
  if (!/^[0-9a-f]{16}$/i.test(appeui)) return refuse(400, 'Invalid application EUI')
  if (!/^[0-9a-f]{32}$/i.test(key)) return refuse(400, 'Invalid application key')
  if (store.foreign.has(eui.toUpperCase()) || side.devices.has(eui.toUpperCase())) {
    return refuse(400, 'Device EUI already registered')
  }
  // The documents of the calls that allocate capacity say "Not enough permissions. Not enough
  // capacity.".
  if (side.devices.size >= (store.capacity ?? Infinity)) return refuse(403, 'Not enough capacity')
  const record = { appeui: appeui.toUpperCase(), appkey: key, devclass: 'A' }
  return ok(describe(side.putDevice(eui, title, record)))
}

function updateDevice(call: FarCall, device: FarDevice<DeviceRecord>): FarAnswer {
  device.name = textOf(membersOf(call), 'title') ?? device.name
  return ok(membersOf(call))
}

function setKey(call: FarCall, device: FarDevice<DeviceRecord>): FarAnswer {
  const key = textOf(membersOf(call), 'appkey') ?? ''
  if (!/^[0-9a-f]{32}$/i.test(key)) return refuse(400, 'Invalid application key')
  device.record.appkey = key
  return ok({ appkey: key })
}

function createToken({ random }: Side, { tokens }: Store): FarAnswer {
  const token = Buffer.from(random.hexadecimal(24), 'hex').toString('base64url')
  tokens.push(token)
  return ok({ token })
}

/**
 * Faults of the message are reported in the answer. The status of the answer is that of a success.
 */
function enqueue(side: Side, store: Store, call: FarCall): FarAnswer {
  const message = membersOf(call)
  const answer = (rest: object) => ok({ ...message, ...rest })
  if (message.cmd !== 'tx') return answer({ error: 'Unknown command' })
  if (message.appid !== store.applicationId) return answer({ error: 'Unknown application' })
  const device = side.devices.get(String(message.EUI).toUpperCase())
  if (!device) return answer({ error: 'Device not found' })
  const port = Number(message.port)
  if (!(Number.isInteger(port) && port >= 1 && port <= 223))
    return answer({ error: 'Invalid port' })
  const data = textOf(message, 'data') ?? ''
  if (!/^([0-9a-f]{2})+$/i.test(data)) return answer({ error: 'Invalid data' })
  device.queue.push({
    id: side.random.hexadecimal(8),
    fPort: port,
    data: Buffer.from(data, 'hex'),
    confirmed: message.confirmed === true,
  })
  return answer({ success: 'Data enqueued', seqdn: device.fCntDown + device.queue.length - 1 })
}
