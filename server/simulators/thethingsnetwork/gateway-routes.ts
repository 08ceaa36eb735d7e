// Gateways, pkg/identityserver/gateway_registry.go and registry_search.go.
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import { pageOf } from './device-routes.ts'
import { done, fail } from './errors.ts'
import { rightsOn } from './rights.ts'
import {
  applyMask,
  euiOf,
  idsOf,
  objectIn,
  pathsIn,
  type StackSide,
  type StackStore,
  type StoredGateway,
  textOf,
} from './store.ts'

export function gatewayRoutes(store: StackStore, side: StackSide): FarRoute[] {
  const one = '/api/v3/gateways/:gateway'
  const ofOwner = ['/api/v3/users/:owner/gateways', '/api/v3/organizations/:owner/gateways']
  return [
    ...ofOwner.flatMap((owned): FarRoute[] => [
      ['POST', owned, (call) => create(store, side, call)],
      ['GET', owned, (call) => list(store, call)],
    ]),
    ['GET', '/api/v3/search/gateways', (call) => search(store, call)],
    ['PUT', one, (call) => update(store, side, call)],
    ['DELETE', one, (call) => remove(store, side, call)],
    ['POST', `${one}/restore`, (call) => restore(store, side, call)],
    ['DELETE', `${one}/purge`, (call) => purge(store, call)],
  ]
}

function create(store: StackStore, side: StackSide, { params, body }: FarCall): FarAnswer {
  const owner = params.owner ?? ''
  const record = objectIn(body, 'gateway')
  const gatewayId = textOf(idsOf(record).gateway_id)
  const eui = euiOf(record, 'eui')
  const twin = findByEui(store, eui)
  if (twin) {
    return fail(
      409,
      'pkg/identityserver:gateway_eui_taken',
      'a gateway with EUI `{gateway_eui}` is already registered as `{gateway_id}`',
      { attributes: { gateway_eui: eui, gateway_id: twin.gatewayId } },
    )
  }
  if (store.gateways.has(gatewayId)) {
    return fail(
      409,
      'pkg/util/store:id_taken',
      'ID already taken, choose a different one and try again',
    )
  }
  const gateway: StoredGateway = { gatewayId, owner, record, isDeleted: false }
  store.gateways.set(gatewayId, gateway)
  show(side, gateway)
  return { status: 200, body: record }
}

function list(store: StackStore, { params, query }: FarCall): FarAnswer {
  const own = [...store.gateways.values()].filter(
    ({ owner, isDeleted }) => owner === params.owner && !isDeleted,
  )
  const gateways = pageOf(own, query).map((gateway) => tell(store, gateway, query.field_mask))
  const headers = { 'x-total-count': String(own.length) }
  return { status: 200, body: gateways.length > 0 ? { gateways } : {}, headers }
}

/** Fields of a gateway that anybody may see (PublicGatewayFields and PublicSafe of pkg/ttnpb). */
const publicFields = ['ids', 'name', 'description', 'frequency_plan_ids', 'antennas']

/** The fields that were asked for; without RIGHT_GATEWAY_INFO, what is public of them. */
function tell(
  store: StackStore,
  { gatewayId, record }: StoredGateway,
  mask = 'ids',
): StoredGateway['record'] {
  const isOpen = rightsOn(store, 'gateway', gatewayId).includes('RIGHT_GATEWAY_INFO')
  const asked = new Set(['ids', ...mask.split(',')])
  const told = Object.entries(record).filter(
    ([field]) => asked.has(field) && (isOpen || publicFields.includes(field)),
  )
  const { antennas, ...others } = Object.fromEntries(told)
  if (!Array.isArray(antennas)) return others
  const isPlaced = isOpen || record.location_public === true
  return { ...others, antennas: isPlaced ? antennas : antennas.map(() => ({})) }
}

/** Lists the gateways whose collaborator is the key's owner (registry_search.go). */
function search(store: StackStore, { query }: FarCall): FarAnswer {
  const part = (query.eui_contains ?? '').toUpperCase()
  const gateways = [...store.gateways.values()]
    .filter(({ gatewayId, isDeleted }) => !isDeleted && isVisible(store, gatewayId))
    .map(({ record }) => record)
    .filter((record) => euiOf(record, 'eui').includes(part))
  return { status: 200, body: gateways.length > 0 ? { gateways } : {} }
}

/** A collaborator sees its gateways, even with a key that has no right on gateways. */
function isVisible(store: StackStore, gatewayId: string): boolean {
  return rightsOn({ ...store, rights: ['RIGHT_ALL'] }, 'gateway', gatewayId).length > 0
}

function update(store: StackStore, side: StackSide, { params, body }: FarCall): FarAnswer {
  const gateway = store.gateways.get(params.gateway ?? '')
  if (!gateway || gateway.isDeleted) return missing(params.gateway ?? '')
  applyMask(gateway.record, objectIn(body, 'gateway'), pathsIn(body))
  show(side, gateway)
  return { status: 200, body: gateway.record }
}

/**
 * Deletes a gateway: its id stays reserved, and its EUI is free again (migration
 * 20220913000000_update_gtw_eui_index).
 */
function remove(store: StackStore, side: StackSide, { params }: FarCall): FarAnswer {
  const gateway = store.gateways.get(params.gateway ?? '')
  if (!gateway || gateway.isDeleted) return missing(params.gateway ?? '')
  gateway.isDeleted = true
  side.gateways.delete(euiOf(gateway.record, 'eui'))
  return done
}

function restore(store: StackStore, side: StackSide, { params }: FarCall): FarAnswer {
  const gateway = store.gateways.get(params.gateway ?? '')
  if (!gateway?.isDeleted) return missing(params.gateway ?? '')
  if (findByEui(store, euiOf(gateway.record, 'eui'))) delete idsOf(gateway.record).eui
  gateway.isDeleted = false
  show(side, gateway)
  return done
}

function purge(store: StackStore, { params }: FarCall): FarAnswer {
  if (!store.isAdmin) {
    return fail(
      403,
      'pkg/identityserver:admins_purge_gateways',
      'gateways may only be purged by admins',
    )
  }
  store.gateways.delete(params.gateway ?? '')
  return done
}

function show(side: StackSide, gateway: StoredGateway): void {
  const eui = euiOf(gateway.record, 'eui')
  if (eui) side.gateways.set(eui, { eui, name: textOf(gateway.record.name), record: gateway })
}

function findByEui({ gateways }: StackStore, eui: string): StoredGateway | undefined {
  return [...gateways.values()].find(
    ({ record, isDeleted }) => !isDeleted && euiOf(record, 'eui') === eui,
  )
}

function missing(gatewayId: string): FarAnswer {
  return fail(
    404,
    'pkg/identityserver/store:gateway_not_found',
    'gateway with id `{gateway_id}` not found',
    { attributes: { gateway_id: gatewayId } },
  )
}
