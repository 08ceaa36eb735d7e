// The calls about endDevices and dataDown, GMS REST API 3.2.6.
import { objectOf, textOf } from '../../src/networks/answer-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarDevice } from '../far-dialect.ts'
import { checkActivation, checkSets, refuseFixed } from './device-activation.ts'
import { showCluster } from './push-routes.ts'
import {
  base,
  bodyOf,
  checkLengths,
  checkRequired,
  type DataDown,
  type Dto,
  notFound,
  refuse,
  toPage,
  type Wanesy,
} from './store.ts'

const required = [
  'profile',
  'activation',
  'macVersion',
  'geolocation',
  'regParamsRevision',
  'rfRegion',
  'classType',
]

export function deviceRoutes(wanesy: Wanesy): FarRoute[] {
  const { devices } = wanesy.side
  const withDevice =
    (handle: (call: FarCall, device: FarDevice<Dto>) => FarAnswer) => (call: FarCall) => {
      const device = devices.get(call.params.devEui ?? '')
      return device ? handle(call, device) : notFound('end-device')
    }
  const shown = (device: FarDevice<Dto>) => show(wanesy, device)
  const path = `${base}/endDevices/:devEui`
  return [
    ['GET', `${base}/endDevices`, (call) => toPage([...devices.values()].map(shown), call)],
    ['GET', path, withDevice((_call, device) => ({ status: 200, body: shown(device) }))],
    ['PUT', path, (call) => createDevice(wanesy, call)],
    ['PATCH', path, withDevice(patchDevice)],
    [
      'DELETE',
      path,
      withDevice((_call, { devEui }) => {
        devices.delete(devEui)
        return { status: 204 }
      }),
    ],
    ['GET', `${base}/dataDown`, (call) => listDataDowns(wanesy, call)],
    ['POST', `${base}/dataDown`, (call) => createDataDown(wanesy, call)],
    ['DELETE', `${base}/dataDown/:id`, (call) => cancelDataDown(wanesy, call)],
  ]
}

function createDevice(wanesy: Wanesy, call: FarCall): FarAnswer {
  const body = bodyOf(call)
  const devEui = call.params.devEui ?? ''
  const fault =
    checkRequired(body, required) ??
    checkLengths(body) ??
    checkSets(body) ??
    checkValues(wanesy, devEui, body)
  if (fault) return fault
  wanesy.side.putDevice(devEui, textOf(body.name) || devEui, { ...body, devEui })
  return { status: 201, headers: { location: `${base}/endDevices/${devEui}` } }
}

function checkValues(wanesy: Wanesy, devEui: string, body: Dto): FarAnswer | undefined {
  const { side, clusters, maxEndDevices = Infinity } = wanesy
  if (!/^[0-9A-F]{16}$/.test(devEui)) return refuse(400, 'INVALID_FIELD', 'invalid devEui')
  if (side.devices.has(devEui)) return refuse(400, 'ALREADY_EXISTS', 'the end-device exists')
  const cluster = objectOf(body.cluster).id
  if (!clusters.some(({ id }) => id === cluster)) {
    return refuse(400, 'INVALID_FIELD', `unknown cluster ${cluster}`)
  }
  if (!['STATIC', 'MOBILE'].includes(textOf(body.profile))) {
    return refuse(400, 'INVALID_FIELD', `unknown profile ${body.profile}`)
  }
  if (side.devices.size >= maxEndDevices) {
    return refuse(400, 'MAX_REACHED', 'the maximum number of end-devices is reached')
  }
  return checkActivation(body)
}

function patchDevice(call: FarCall, device: FarDevice<Dto>): FarAnswer {
  const body = bodyOf(call)
  const fault = refuseFixed(device.record, body) ?? checkLengths(body) ?? checkSets(body)
  if (fault) return fault
  Object.assign(device.record, body)
  if (body.name !== undefined) device.name = textOf(body.name)
  return { status: 204 }
}

function show(wanesy: Wanesy, { record, name }: FarDevice<Dto>): Dto {
  const cluster = wanesy.clusters.find(({ id }) => id === objectOf(record.cluster).id)
  const shown = cluster ? { cluster: showCluster(wanesy, cluster) } : {}
  return { ...record, name, ...shown, links: [] }
}

function listDataDowns({ dataDowns }: Wanesy, call: FarCall): FarAnswer {
  const all = [...dataDowns.values()].map(({ devEui, ...dataDown }) => ({
    ...dataDown,
    endDevice: { devEui },
    contentType: 'HEXA',
    encodingType: 'HEXA',
    nbAttempts: 0,
  }))
  return toPage(all, call)
}

function createDataDown(wanesy: Wanesy, call: FarCall): FarAnswer {
  const body = bodyOf(call)
  const devEui = textOf(objectOf(body.endDevice).devEui)
  const fault = checkRequired(body, ['contentType', 'confirmed', 'payload', 'fPort'])
  if (fault) return fault
  const device = wanesy.side.devices.get(devEui)
  if (!device) return notFound('end-device')
  const tooLong = checkLengths(body)
  if (tooLong) return tooLong
  const payload = textOf(body.payload)
  if (body.contentType !== 'HEXA' || !/^([0-9a-f]{2})+$/i.test(payload)) {
    return refuse(400, 'INVALID_FIELD', 'the payload is not hexadecimal')
  }
  const [fPort, confirmed] = [Number(body.fPort), body.confirmed === true]
  const id = addDataDown(wanesy, device.devEui, { fPort, payload, confirmed })
  return { status: 201, headers: { location: `${base}/dataDown/${id}` } }
}

/** Queues a dataDown and returns its id. */
export function addDataDown(
  { side, dataDowns }: Wanesy,
  devEui: string,
  content: Pick<DataDown, 'fPort' | 'payload' | 'confirmed'>,
): string {
  const id = side.random.hexadecimal(12)
  const { payload, ...rest } = content
  dataDowns.set(id, { id, devEui, ...content, status: 'IN_PROGRESS', timestamp: side.now() })
  side.devices.get(devEui)?.queue.push({ id, ...rest, data: Buffer.from(payload, 'hex') })
  return id
}

/** A cancel that comes too late is accepted, but has no effect. */
function cancelDataDown({ side, dataDowns }: Wanesy, call: FarCall): FarAnswer {
  if (call.query.cancel !== 'true') {
    return refuse(400, 'NOT_AUTHORIZED', 'deleting a dataDown is not authorized')
  }
  const dataDown = dataDowns.get(call.params.id ?? '')
  if (!dataDown) return notFound('dataDown')
  const queue = side.devices.get(dataDown.devEui)?.queue ?? []
  const index = queue.findIndex(({ id }) => id === dataDown.id)
  if (index >= 0) {
    queue.splice(index, 1)
    dataDown.status = 'CANCELLED'
  }
  return { status: 204 }
}
