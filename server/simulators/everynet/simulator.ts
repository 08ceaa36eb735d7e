// Management API v1.0: ns.docs.everynet.io. It documents no error. The simulator's errors are
// guesses.

import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarDevice } from '../far-dialect.ts'
import type { NeededRight } from '../far-restrictions.ts'
import { createFarSide } from '../far-side.ts'
import { ownerRadio, type RadioKind } from '../owner-radio.ts'
import type { SimulatorOptions } from '../simulated-network.ts'
import { createDialect } from './messages.ts'
import { bands, type DeviceRecord, foreignEui, type Side } from './store.ts'

const connectionId = '5eb858c86c1837f2550ae2cb'
const accessToken = 'simulated-everynet-key'
const api = '/api/v1.0'

/** Simulates one organization with an HTTP connection. */
export async function startSimulator(options: SimulatorOptions = {}) {
  const side: Side = await createFarSide<DeviceRecord, never>(
    options,
    createDialect(() => side),
    (side) => ({
      routes: createRoutes(side),
      authorize: (call) => authorize(side, call),
      refusal: (words) => refuse(400, words),
      rightOf,
    }),
  )
  const simulated = side.simulate({
    network: 'everynet',
    account: {
      region: 'eu',
      server: side.http.address,
      access_token: accessToken,
      connection_id: connectionId,
    },
    wrongAccount: { access_token: 'not-the-token' },
    rights: { write_devices: /Forbidden/ },
    changeKey: (devEui, key) => {
      const device = side.devices.get(devEui)
      if (device) device.record.app_key = key.toLowerCase()
    },
    kinds: ['abp', 'class_c'],
    addDevice: (devEui, name, kind) => {
      const record = { tags: [name], band: 'EU863-870', ...ofKind(kind) }
      side.putDevice(devEui, name, recordOf(record))
    },
  })
  return { ...simulated, http: side.http, side }
}

/** A claim needs the header value of the connection. Every other call needs the key. */
function authorize({ callbacks }: Side, call: FarCall): FarAnswer | undefined {
  const [callback] = callbacks
  const isClaim = call.path.startsWith('/http2/')
  const isRight = isClaim
    ? Object.values(callback?.headers ?? {}).includes(call.headers.authorization ?? '')
    : call.query.access_token === accessToken
  return isRight ? undefined : refuse(401, 'Unauthorized')
}

/**
 * A key of the portal has rights for each kind of thing. The refusal for a missing right is a
 * guess.
 */
function rightOf({ method, path }: FarCall): NeededRight | undefined {
  const isChange = method !== 'GET' && path.startsWith(`${api}/devices`)
  return isChange ? { right: 'write_devices', refusal: refuse(403, 'Forbidden') } : undefined
}

function createRoutes(side: Side): FarRoute[] {
  const aboutDevice =
    (handle: (device: FarDevice<DeviceRecord>, call: FarCall) => FarAnswer): FarRoute[2] =>
    (call) => {
      const device = side.devices.get((call.params.device ?? '').toUpperCase())
      return device ? handle(device, call) : refuse(404, 'Device not found')
    }
  return [
    ['GET', `${api}/bands`, () => ok({ bands: bands.map((name) => ({ name })) })],
    ['GET', `${api}/connections/:id`, ({ params }) => describeConnection(side, params.id ?? '')],
    ['GET', `${api}/devices`, (call) => listDevices(side, call)],
    ['POST', `${api}/devices`, (call) => createDevice(side, call)],
    ['GET', `${api}/devices/:device`, aboutDevice((device) => ok({ device: describe(device) }))],
    ['PATCH', `${api}/devices/:device`, aboutDevice(changeDevice)],
    [
      'DELETE',
      `${api}/devices/:device`,
      aboutDevice(({ devEui }) => {
        side.devices.delete(devEui)
        return { status: 204 }
      }),
    ],
    ['POST', '/http2/cb/:id', ({ params }) => ({ status: params.id === connectionId ? 202 : 404 })],
  ]
}

function describeConnection({ callbacks }: Side, id: string): FarAnswer {
  if (id !== connectionId) return refuse(404, 'Connection not found')
  return ok({ connection: { id, type: 'http2', url: callbacks[0]?.url ?? '' } })
}

function describe({ devEui, record, devAddr, fCntUp, fCntDown }: FarDevice<DeviceRecord>) {
  const { hash, ...rest } = record
  return {
    dev_addr: devAddr,
    ...rest,
    dev_eui: devEui.toLowerCase(),
    encryption: 'NS',
    counter_up: fCntUp,
    counter_down: fCntDown,
  }
}

function listDevices({ devices }: Side, { query }: FarCall): FarAnswer {
  const [offset, limit] = [Number(query.offset ?? 0), Number(query.limit ?? 10)]
  const page = [...devices.values()].slice(offset, offset + limit)
  return ok({ devices: page.map(describe), total: devices.size })
}

function createDevice(side: Side, call: FarCall): FarAnswer {
  const sent = (call.body ?? {}) as Record<string, unknown>
  const fault = findFault(sent)
  if (fault) return refuse(400, fault)
  if (sent.encryption !== 'NS') return refuse(400, 'encryption: invalid value')
  if (sent.counters_size !== 2 && sent.counters_size !== 4) {
    return refuse(400, 'counters_size: invalid value')
  }
  if (!bands.includes(String(sent.band))) return refuse(400, 'band: unknown band')
  const eui = String(sent.dev_eui).toUpperCase()
  if (side.devices.has(eui) || eui === foreignEui) {
    return refuse(409, 'Device with this dev_eui already exists')
  }
  const record = recordOf(sent as Partial<DeviceRecord>)
  const device = side.putDevice(eui, record.tags[0] ?? eui, record)
  return { status: 201, body: { device: describe(device) } }
}

/** By activation: its members and their numbers of digits. */
const digitsOf: Record<string, Record<string, number>> = {
  OTAA: { dev_eui: 16, app_eui: 16, app_key: 32 },
  ABP: { dev_eui: 16, dev_addr: 8, nwkskey: 32, appskey: 32 },
}

function findFault(sent: Record<string, unknown>): string | undefined {
  const digits = digitsOf[String(sent.activation)]
  if (!digits) return 'activation: invalid value'
  const wrong = Object.keys(digits).find((name) => {
    const value = sent[name]
    return typeof value !== 'string' || value.length !== digits[name] || /[^0-9a-f]/.test(value)
  })
  if (wrong) return `${wrong}: invalid value`
  return /^[AC]$/.test(String(sent.dev_class)) ? undefined : 'dev_class: invalid value'
}

function changeDevice(device: FarDevice<DeviceRecord>, { body }: FarCall): FarAnswer {
  const changed = recordOf({ ...device.record, ...(body as Partial<DeviceRecord>) })
  // A device that the owner made in the portal has keys that are not simulated.
  const isWhole = device.record.app_key !== '' || device.record.activation === 'ABP'
  const fault = isWhole
    ? findFault({ ...changed, dev_eui: device.devEui.toLowerCase() })
    : undefined
  if (fault) return refuse(400, fault)
  device.record = changed
  return ok({ device: describe(device) })
}

function recordOf(sent: Partial<DeviceRecord>): DeviceRecord {
  const { activation = 'OTAA', band = '', dev_class = 'A', tags = [] } = sent
  const common = { activation, band, dev_class, tags, hash: '' }
  if (activation === 'ABP') {
    const { dev_addr = '', nwkskey = '', appskey = '' } = sent
    return { ...common, dev_addr, nwkskey, appskey }
  }
  const { app_eui = '', app_key = '' } = sent
  return { ...common, app_eui, app_key }
}

function ofKind(kind: RadioKind | undefined): Partial<DeviceRecord> {
  const dev_addr = ownerRadio.devAddr.toLowerCase()
  const app_eui = ownerRadio.joinEui.toLowerCase()
  const [key, networkKey] = [ownerRadio.appKey.toLowerCase(), ownerRadio.networkKey.toLowerCase()]
  if (kind === 'abp') {
    return { activation: 'ABP', dev_addr, nwkskey: networkKey, appskey: key }
  }
  return kind ? { dev_class: 'C', app_eui, app_key: key } : {}
}

function ok(body: unknown): FarAnswer {
  return { status: 200, body }
}

function refuse(status: number, message: string): FarAnswer {
  return { status, body: { message } }
}
