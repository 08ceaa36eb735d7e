// The device's parts at the join, network and application server, pkg/*/grpc_deviceregistry.go.
import type { JsonObject } from '../../src/networks/message-fields.ts'
import { frequencyPlans } from '../../src/networks/thethingsnetwork/frequency-plans.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import { done, fail } from './errors.ts'
import { completeSession, findRefusedApplicationField, findRefusedField } from './session.ts'
import {
  applyMask,
  euiOf,
  goOnAir,
  keyOf,
  objectIn,
  type Part,
  pathsIn,
  type StackSide,
  type StackStore,
  type StoredDevice,
  textOf,
} from './store.ts'

const prefixes = { join: 'js', network: 'ns', application: 'as' } as const

export function registryRoutes(store: StackStore, side: StackSide): FarRoute[] {
  const parts: Part[] = ['join', 'network', 'application']
  const link: FarRoute = ['GET', '/api/v3/as/applications/:application/link', () => showLink(store)]
  const ofParts = parts.flatMap((part): FarRoute[] => {
    const path = `/api/v3/${prefixes[part]}/applications/:application/devices/:device`
    return [
      ['GET', path, (call) => get(store, part, call)],
      ['PUT', path, (call) => put(store, side, part, call)],
      ['DELETE', path, (call) => remove(store, side, part, call)],
    ]
  })
  return [...ofParts, link]
}

/** The link of an application, pkg/applicationserver/grpc.go. */
function showLink({ defaultFormatters }: StackStore): FarAnswer {
  if (!defaultFormatters) return fail(404, 'pkg/applicationserver:link_not_found', 'link not found')
  return { status: 200, body: { default_formatters: defaultFormatters } }
}

/** Returns the ids and the members that the field mask names (pkg/ttnpb, FilterGetEndDevice). */
function get(store: StackStore, part: Part, { params, query }: FarCall): FarAnswer {
  const device = store.devices.get(keyOf(params.application ?? '', params.device ?? ''))
  const record = device?.[part]
  if (!record) return missing(part)
  const whole = part === 'network' ? { ...record, ...radioOf(device) } : record
  return { status: 200, body: pick(whole, (query.field_mask ?? '').split(',')) }
}

function pick(whole: JsonObject, paths: readonly string[]): JsonObject {
  const shown: JsonObject = { ids: whole.ids }
  applyMask(shown, whole, paths)
  return shown
}

/** Zero values are left out. */
function radioOf({ session, network }: StoredDevice): JsonObject {
  if (!session || session.lastNFCntDown === 0) return {}
  return {
    session: { ...objectIn(network, 'session'), last_n_f_cnt_down: session.lastNFCntDown },
    mac_state: { recent_downlinks: session.recentDownlinks },
  }
}

function put(store: StackStore, side: StackSide, part: Part, call: FarCall): FarAnswer {
  const { application: applicationId = '', device: deviceId = '' } = call.params
  const sent = objectIn(call.body, 'end_device')
  const paths = pathsIn(call.body)
  const key = keyOf(applicationId, deviceId)
  const device = store.devices.get(key) ?? { applicationId, deviceId }
  const record: JsonObject = { ...(device[part] ?? { ids: sent.ids }) }
  applyMask(record, sent, paths)
  const fault = faults[part](record, sent, { before: device[part], paths })
  if (fault) return fault
  if (part === 'network') completeSession(record)
  if (paths.includes('session.last_n_f_cnt_down')) delete device.session
  device[part] = record
  store.devices.set(key, device)
  goOnAir(store, side, device)
  return { status: 200, body: pick(record, paths) }
}

function remove(store: StackStore, side: StackSide, part: Part, { params }: FarCall): FarAnswer {
  const device = store.devices.get(keyOf(params.application ?? '', params.device ?? ''))
  if (!device?.[part]) return missing(part)
  const devEui = euiOf(device[part], 'dev_eui')
  delete device[part]
  if (side.devices.get(devEui)?.record === device) side.devices.delete(devEui)
  return done
}

type FindFault = (
  record: JsonObject,
  sent: JsonObject,
  change: { before: JsonObject | undefined; paths: readonly string[] },
) => FarAnswer | undefined

/** Members that each server requires of a device. */
const faults: Record<Part, FindFault> = {
  join: (record, sent) => {
    if (!euiOf(sent, 'join_eui')) {
      return fail(400, 'pkg/joinserver:no_join_eui', 'no JoinEUI specified')
    }
    if (!euiOf(sent, 'dev_eui'))
      return fail(400, 'pkg/joinserver:no_dev_eui', 'no DevEUI specified')
    const { key } = objectIn(record.root_keys, 'app_key')
    if (/^[0-9A-F]{32}$/i.test(textOf(key))) return undefined
    return fail(400, 'pkg/joinserver:field_value', 'invalid value of field `{field}`', {
      attributes: { field: 'root_keys.app_key.key' },
    })
  },
  network: (record, _sent, { before }) => {
    const plan = textOf(record.frequency_plan_id)
    for (const field of ['frequency_plan_id', 'lorawan_version', 'lorawan_phy_version']) {
      if (!record[field]) return refuseField(field)
    }
    if (!frequencyPlans.some(({ id }) => id === plan)) {
      const attributes = { id: plan }
      return fail(404, 'pkg/frequencyplans:not_found', 'frequency plan `{id}` not found', {
        attributes,
      })
    }
    const isLater = /^AS_923_[234]/.test(plan)
    const phy = textOf(record.lorawan_phy_version)
    if (isLater && !phy.startsWith('RP002')) {
      return fail(
        400,
        'pkg/band:unsupported_lorawan_phy_version',
        'unsupported LoRaWAN PHY version `{version}`',
        { attributes: { version: phy } },
      )
    }
    const refused = findRefusedField(record, before)
    return refused === undefined ? undefined : refuseField(refused)
  },
  application: (_record, sent, { paths }) => {
    const refused = findRefusedApplicationField(sent, paths)
    return refused === undefined ? undefined : refuseField(refused, 'application')
  },
}

function refuseField(field: string, part: Part = 'network'): FarAnswer {
  const attributes = { field }
  return fail(400, `pkg/${part}server:field_value`, 'invalid value of field `{field}`', {
    attributes,
  })
}

function missing(part: Part): FarAnswer {
  return fail(404, `pkg/${part}server:device_not_found`, 'device not found')
}
