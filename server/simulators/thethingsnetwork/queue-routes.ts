// The downlink queue, pkg/applicationserver/applicationserver.go and
// pkg/networkserver/grpc_asns.go.
import { isObject, type JsonObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarDevice, FarDownlink } from '../far-dialect.ts'
import { done, fail, failedPrecondition } from './errors.ts'
import { countFrame, describeDownlink, readDownlink } from './queue.ts'
import {
  euiOf,
  isJoining,
  keyOf,
  type StackSide,
  type StackStore,
  type StoredDevice,
} from './store.ts'

const path = '/api/v3/as/applications/:application/devices/:device/down'

export function queueRoutes(store: StackStore, side: StackSide): FarRoute[] {
  return [
    ['GET', path, (call) => list(store, side, call)],
    ['POST', `${path}/push`, (call) => change(store, side, call, (queue) => queue)],
    ['POST', `${path}/replace`, (call) => change(store, side, call, () => [])],
  ]
}

function list(store: StackStore, side: StackSide, { params }: FarCall): FarAnswer {
  const device = findOnAir(store, side, params)
  if (!('queue' in device)) return device
  const downlinks = device.queue.map((item) => describeDownlink(device, item))
  return { status: 200, body: downlinks.length > 0 ? { downlinks } : {} }
}

/** Changes a device's queue. The new downlinks get frame counters; the kept ones keep theirs. */
function change(
  store: StackStore,
  side: StackSide,
  { params, body }: FarCall,
  keep: (queue: FarDownlink[]) => FarDownlink[],
): FarAnswer {
  const device = findOnAir(store, side, params)
  if (!('queue' in device)) return device
  const sent = isObject(body) && Array.isArray(body.downlinks) ? body.downlinks : []
  const items = sent.filter(isObject)
  for (const item of items) {
    const fault = findFault(item)
    if (fault) return fault
  }
  const kept = keep(device.queue)
  if (kept.length + items.length > store.queueCapacity) {
    const error = 'pkg/networkserver:downlink_queue_capacity'
    return fail(429, error, 'downlink queue capacity exceeded')
  }
  const added = items.map((item) => readDownlink(item, side.random))
  for (const item of added) countFrame(device, item)
  device.queue = [...kept, ...added]
  return done
}

/** The longest payload at the fastest data rate in Europe, without a frame's header. */
const longestPayload = 242

function findFault({ f_port: port, frm_payload: data, class_b_c: timed }: JsonObject) {
  if (!port) return fail(400, 'pkg/applicationserver:no_f_port', 'no FPort')
  if (!data) return fail(400, 'pkg/applicationserver:no_payload', 'no payload')
  const { length } = Buffer.from(String(data), 'base64')
  if (length > longestPayload) {
    return fail(
      400,
      'pkg/networkserver:application_downlink_too_long',
      "application downlink payload length `{length}` exceeds maximum '{max}'",
      { attributes: { length, max: longestPayload } },
    )
  }
  const time = isObject(timed) ? timed.absolute_time : undefined
  if (time === undefined || Date.parse(String(time)) > Date.now()) return undefined
  return fail(400, 'pkg/networkserver:downlink_expired', 'queued downlink is expired', {
    code: failedPrecondition,
  })
}

/** Returns the device, or a refusal if it has no session. */
function findOnAir(
  store: StackStore,
  side: StackSide,
  params: Record<string, string>,
): FarDevice<StoredDevice> | FarAnswer {
  const device = store.devices.get(keyOf(params.application ?? '', params.device ?? ''))
  if (!device?.application) {
    const attributes = { device_uid: `${params.application}.${params.device}` }
    const format = 'device `{device_uid}` not found'
    return fail(404, 'pkg/applicationserver:device_not_found', format, { attributes })
  }
  const onAir = side.devices.get(euiOf(device.application, 'dev_eui'))
  if (onAir && (isJoining(device) || device.application.session)) return onAir
  const words = 'no device session; check device activation'
  return fail(400, 'pkg/applicationserver:no_device_session', words, { code: failedPrecondition })
}
