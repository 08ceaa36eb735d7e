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
    ['POST', `${app}/devices/abp`, inApplication((call) => createFixed(side, store, call))],
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
    ['POST', `${app}/device/:device/appskey`, aboutDevice(setSessionKey, forbidden)],
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
    devaddr: record.session?.devaddr ?? devAddr,
    appeui: record.appeui,
    devclass: record.devclass,
    lorawan: { major: 1, minor: record.nwkkey === undefined ? 0 : 1, revision: 'B' },
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
  const devclass = textOf(members, 'devclass')
  if (!devclass) return refuse(400, 'Missing parameters')
  if (!isHexadecimal(members, 'appeui', 16)) return refuse(400, 'Invalid application EUI')
  if (!isHexadecimal(members, 'appkey', 32)) return refuse(400, 'Invalid application key')
  const [appeui = '', appkey = ''] = [textOf(members, 'appeui'), textOf(members, 'appkey')]
  return put(side, store, call, { appeui: appeui.toUpperCase(), appkey, devclass })
}

/** Class and AppSKey follow by other calls. */
function createFixed(side: Side, store: Store, call: FarCall): FarAnswer {
  const members = membersOf(call)
  if (!isHexadecimal(members, 'devaddr', 8)) return refuse(400, 'Invalid device address')
  if (!isHexadecimal(members, 'nwkskey', 32)) return refuse(400, 'Invalid network session key')
  const counters = [members.seqno, members.seqdn]
  if (!counters.every(Number.isInteger)) return refuse(400, 'Missing parameters')
  const [devaddr = '', nwkskey = ''] = [textOf(members, 'devaddr'), textOf(members, 'nwkskey')]
  const session = { devaddr: devaddr.toUpperCase(), nwkskey, appskey: '' }
  return put(side, store, call, { appeui: '', appkey: '', devclass: 'A', session })
}

function put(side: Side, store: Store, call: FarCall, record: DeviceRecord): FarAnswer {
  const members = membersOf(call)
  const [eui = '', title] = [textOf(members, 'deveui'), textOf(members, 'title')]
  if (!title) return refuse(400, 'Missing parameters')
  if (!isHexadecimal(members, 'deveui', 16)) return refuse(400, 'Invalid device EUI')
  if (store.foreign.has(eui.toUpperCase()) || side.devices.has(eui.toUpperCase())) {
    return refuse(400, 'Device EUI already registered')
  }
  // The documents of the calls that allocate capacity say "Not enough permissions. Not enough
  // capacity.".
  if (side.devices.size >= (store.capacity ?? Infinity)) return refuse(403, 'Not enough capacity')
  return ok(describe(side.putDevice(eui, title, record)))
}

function isHexadecimal(members: Record<string, unknown>, name: string, length: number): boolean {
  return new RegExp(`^[0-9a-f]{${length}}$`, 'i').test(textOf(members, name) ?? '')
}

function updateDevice(call: FarCall, device: FarDevice<DeviceRecord>): FarAnswer {
  const members = membersOf(call)
  const devclass = textOf(members, 'devclass') ?? device.record.devclass
  if (!/^[ABC]$/.test(devclass)) return refuse(400, 'Invalid class')
  device.name = textOf(members, 'title') ?? device.name
  device.record.devclass = devclass
  return ok(members)
}

function setKey(call: FarCall, { record }: FarDevice<DeviceRecord>): FarAnswer {
  const members = membersOf(call)
  if (!isHexadecimal(members, 'appkey', 32)) return refuse(400, 'Invalid application key')
  record.appkey = textOf(members, 'appkey') ?? ''
  return ok({ appkey: record.appkey })
}

function setSessionKey(call: FarCall, { record }: FarDevice<DeviceRecord>): FarAnswer {
  const members = membersOf(call)
  if (!isHexadecimal(members, 'appskey', 32)) return refuse(400, 'Invalid session key')
  const appskey = textOf(members, 'appskey') ?? ''
  if (record.session) record.session.appskey = appskey
  return ok({ appskey })
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
