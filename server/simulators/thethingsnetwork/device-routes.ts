// The identity server's part of a device, pkg/identityserver/end_device_registry.go.
import type { JsonObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import { done, fail } from './errors.ts'
import {
  applyMask,
  euiOf,
  goOnAir,
  idsOf,
  keyOf,
  objectIn,
  pathsIn,
  type StackSide,
  type StackStore,
  type StoredDevice,
  textOf,
} from './store.ts'

const base = '/api/v3/applications/:application/devices'

export function deviceRoutes(store: StackStore, side: StackSide): FarRoute[] {
  return [
    ['POST', base, (call) => create(store, side, call)],
    ['GET', base, (call) => list(store, call, () => true)],
    ['GET', '/api/v3/search/applications/:application/devices', (call) => search(store, call)],
    ['GET', `${base}/:device`, (call) => get(store, call)],
    ['PUT', `${base}/:device`, (call) => update(store, side, call)],
    ['DELETE', `${base}/:device`, (call) => remove(store, side, call)],
  ]
}

function create(store: StackStore, side: StackSide, { params, body }: FarCall): FarAnswer {
  const record = objectIn(body, 'end_device')
  const deviceId = textOf(idsOf(record).device_id)
  const misplaced = findMisplaced(store, record)
  if (misplaced) return misplaced
  const [devEui, joinEui] = [euiOf(record, 'dev_eui'), euiOf(record, 'join_eui')]
  const applicationId = params.application ?? ''
  const twin = [...store.devices.values()].find(
    ({ identity }) =>
      euiOf(identity, 'dev_eui') === devEui && euiOf(identity, 'join_eui') === joinEui,
  )
  if (twin) {
    return fail(
      409,
      'pkg/identityserver:end_device_euis_taken',
      'an end device with JoinEUI `{join_eui}` and DevEUI `{dev_eui}` is already registered as `{device_id}` in application `{application_id}`',
      {
        attributes: {
          join_eui: joinEui,
          dev_eui: devEui,
          device_id: twin.deviceId,
          application_id: twin.applicationId,
        },
      },
    )
  }
  const key = keyOf(applicationId, deviceId)
  if (store.devices.get(key)?.identity) {
    return fail(
      409,
      'pkg/util/store:id_taken',
      'ID already taken, choose a different one and try again',
    )
  }
  const device: StoredDevice = {
    ...store.devices.get(key),
    applicationId,
    deviceId,
    identity: record,
  }
  store.devices.set(key, device)
  goOnAir(store, side, device)
  return { status: 200, body: record }
}

/**
 * A device must not name other servers than its application (validateEndDeviceServerAddressMatch).
 */
function findMisplaced({ serverAddress }: StackStore, record: JsonObject): FarAnswer | undefined {
  const server = ['network', 'application', 'join'].find((name) => {
    const address = textOf(record[`${name}_server_address`])
    return address !== '' && address.split(':')[0] !== serverAddress
  })
  if (server === undefined || serverAddress === undefined) return undefined
  const error = `pkg/identityserver:${server}_server_address_mismatch`
  const format = `${server} server address \`{address}\` does not match \`{expected}\``
  const address = textOf(record[`${server}_server_address`])
  return fail(400, error, format, { attributes: { address, expected: serverAddress } })
}

function search(store: StackStore, call: FarCall): FarAnswer {
  const part = (call.query.dev_eui_contains ?? '').toUpperCase()
  return list(store, call, (device) => euiOf(device.identity, 'dev_eui').includes(part))
}

function list(
  store: StackStore,
  { params, query }: FarCall,
  isWanted: (device: StoredDevice) => boolean,
): FarAnswer {
  const own = [...store.devices.values()]
    .filter(({ applicationId, identity }) => identity && applicationId === params.application)
    .filter(isWanted)
  const end_devices = pageOf(own, query).map(({ identity }) => identity)
  const headers = { 'x-total-count': String(own.length) }
  return { status: 200, body: end_devices.length > 0 ? { end_devices } : {}, headers }
}

/** Page numbers begin at 1. Without a limit, the page has all items. */
export function pageOf<Thing>(things: Thing[], query: Record<string, string>): Thing[] {
  const limit = Number(query.limit ?? 0) || things.length
  const page = Number(query.page ?? 1) || 1
  return things.slice((page - 1) * limit, page * limit)
}

function get(store: StackStore, call: FarCall): FarAnswer {
  const device = findDevice(store, call)
  return device ? { status: 200, body: device.identity } : missing(call)
}

function update(store: StackStore, side: StackSide, call: FarCall): FarAnswer {
  const device = findDevice(store, call)
  if (!device?.identity) return missing(call)
  applyMask(device.identity, objectIn(call.body, 'end_device'), pathsIn(call.body))
  const onAir = side.devices.get(euiOf(device.identity, 'dev_eui'))
  if (onAir) onAir.name = textOf(device.identity.name)
  return { status: 200, body: device.identity }
}

function remove(store: StackStore, side: StackSide, call: FarCall): FarAnswer {
  const device = findDevice(store, call)
  if (!device?.identity) return missing(call)
  const devEui = euiOf(device.identity, 'dev_eui')
  if (side.devices.get(devEui)?.record === device) side.devices.delete(devEui)
  delete device.identity
  return done
}

function findDevice(store: StackStore, { params }: FarCall): StoredDevice | undefined {
  const device = store.devices.get(keyOf(params.application ?? '', params.device ?? ''))
  return device?.identity ? device : undefined
}

function missing({ params }: FarCall): FarAnswer {
  return fail(
    404,
    'pkg/identityserver/store:end_device_not_found',
    'end device with id `{device_id}` not found in application with id `{application_id}`',
    { attributes: { device_id: params.device, application_id: params.application } },
  )
}
