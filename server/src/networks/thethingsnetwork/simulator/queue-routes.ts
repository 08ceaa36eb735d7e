// The downlink queue, pkg/applicationserver/applicationserver.go.
import { isObject, type JsonObject } from '../../message-fields.ts'
import type { FarDevice, FarDownlink } from '../../simulator/far-dialect.ts'
import type { FarAnswer, FarCall, FarRoute } from '../../simulator/far-http.ts'
import { done, fail, invalid } from './stack-errors.ts'
import {
  euiOf,
  keyOf,
  type StackSide,
  type StackStore,
  type StoredDevice,
  textOf,
} from './stack-store.ts'

const path = '/api/v3/as/applications/:application/devices/:device/down'

export function queueRoutes(store: StackStore, side: StackSide): FarRoute[] {
  return [
    ['GET', path, (call) => list(store, side, call)],
    [
      'POST',
      `${path}/push`,
      (call) => change(store, side, call, (queue, items) => [...queue, ...items]),
    ],
    ['POST', `${path}/replace`, (call) => change(store, side, call, (_queue, items) => items)],
  ]
}

function list(store: StackStore, side: StackSide, { params }: FarCall): FarAnswer {
  const device = findOnAir(store, side, params)
  if (!('queue' in device)) return device
  const downlinks = device.queue.map((item, index) =>
    describeDownlink(item, device.fCntDown + index + 1),
  )
  return { status: 200, body: downlinks.length > 0 ? { downlinks } : {} }
}

function change(
  store: StackStore,
  side: StackSide,
  { params, body }: FarCall,
  combine: (queue: FarDownlink[], items: FarDownlink[]) => FarDownlink[],
): FarAnswer {
  const device = findOnAir(store, side, params)
  if (!('queue' in device)) return device
  const sent =
    isObject(body) && Array.isArray(body.downlinks) ? body.downlinks.filter(isObject) : []
  if (sent.some((item) => !isPort(item.f_port))) {
    return fail(400, 'pkg/applicationserver:no_f_port', 'no FPort set')
  }
  const tooLong = sent.some(
    ({ frm_payload: data }) => Buffer.from(textOf(data), 'base64').length > 255,
  )
  if (tooLong) return invalid('frm_payload', 'value length must be at most 255 bytes')
  device.queue = combine(
    device.queue,
    sent.map((item) => readItem(side, item)),
  )
  return done
}

function isPort(port: unknown): boolean {
  return typeof port === 'number' && port >= 1 && port <= 223
}

function readItem({ random }: StackSide, item: JsonObject): FarDownlink {
  const [id] = Array.isArray(item.correlation_ids) ? item.correlation_ids.map(String) : []
  return {
    id: id ?? `as:downlink:${random.hexadecimal(13).toUpperCase()}`,
    fPort: Number(item.f_port),
    data: Buffer.from(textOf(item.frm_payload), 'base64'),
    confirmed: item.confirmed === true,
  }
}

/** `ApplicationDownlink` in JSON, zero values left out. */
export function describeDownlink(item: FarDownlink, fCnt: number): JsonObject {
  return {
    session_key_id: 'AXBSp8v2brG0jqkri+sIkw==',
    f_port: item.fPort,
    f_cnt: fCnt,
    frm_payload: item.data.toString('base64'),
    ...(item.confirmed ? { confirmed: true } : {}),
    priority: 'NORMAL',
    correlation_ids: item.id.startsWith('as:')
      ? [item.id]
      : ['as:downlink:01E19B99501X84X6CV471TVSZ1', item.id],
  }
}

/** The device, or the refusal where it has no session. */
function findOnAir(
  store: StackStore,
  side: StackSide,
  params: Record<string, string>,
): FarDevice<StoredDevice> | FarAnswer {
  const device = store.devices.get(keyOf(params.application ?? '', params.device ?? ''))
  if (!device?.application) {
    const uid = `${params.application}.${params.device}`
    return fail(404, 'pkg/applicationserver:device_not_found', `device \`${uid}\` not found`)
  }
  const onAir = side.devices.get(euiOf(device.application, 'dev_eui'))
  return (
    onAir ??
    fail(
      400,
      'pkg/applicationserver:no_device_session',
      'no device session; check device activation',
    )
  )
}
