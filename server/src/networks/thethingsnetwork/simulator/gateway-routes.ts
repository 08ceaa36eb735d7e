// Gateways, pkg/identityserver/gateway_registry.go and registry_search.go.
import type { FarAnswer, FarCall, FarRoute } from '../../simulator/far-http.ts'
import { pageOf } from './device-routes.ts'
import { done, fail, invalid } from './stack-errors.ts'
import {
  applyMask,
  euiOf,
  idsOf,
  isSlug,
  objectIn,
  pathsIn,
  type StackSide,
  type StackStore,
  type StoredGateway,
  textOf,
} from './stack-store.ts'

export function gatewayRoutes(store: StackStore, side: StackSide): FarRoute[] {
  const owned = '/api/v3/users/:owner/gateways'
  const one = '/api/v3/gateways/:gateway'
  return [
    ['POST', owned, (call) => create(store, side, call)],
    ['GET', owned, (call) => list(store, call)],
    ['GET', '/api/v3/search/gateways', (call) => search(store, call)],
    ['PUT', one, (call) => update(store, side, call)],
    ['DELETE', one, (call) => remove(store, side, call)],
    ['POST', `${one}/restore`, (call) => restore(store, side, call)],
    ['DELETE', `${one}/purge`, (call) => purge(store, call)],
  ]
}

function create(store: StackStore, side: StackSide, { params, body }: FarCall): FarAnswer {
  const owner = params.owner ?? ''
  if (!mayActFor(store, owner)) return denied('user', owner)
  const record = objectIn(body, 'gateway')
  const gatewayId = textOf(idsOf(record).gateway_id)
  if (!isSlug(gatewayId)) return invalid('gateway_id', 'value does not match regex pattern')
  const eui = euiOf(record, 'eui')
  const twin = findByEui(store, eui)
  if (twin) {
    return fail(
      409,
      'pkg/identityserver:gateway_eui_taken',
      `a gateway with EUI \`${eui}\` is already registered as \`${twin.gatewayId}\``,
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
  if (!mayActFor(store, params.owner)) return denied('user', params.owner ?? '')
  const own = [...store.gateways.values()].filter(
    ({ owner, isDeleted }) => owner === params.owner && !isDeleted,
  )
  const gateways = pageOf(own, query).map(({ record }) => record)
  return { status: 200, body: gateways.length > 0 ? { gateways } : {} }
}

function search(store: StackStore, { query }: FarCall): FarAnswer {
  const part = (query.eui_contains ?? '').toUpperCase()
  const gateways = [...store.gateways.values()]
    .filter(({ owner, isDeleted }) => owner === store.userId && !isDeleted)
    .map(({ record }) => record)
    .filter((record) => euiOf(record, 'eui').includes(part))
  return { status: 200, body: gateways.length > 0 ? { gateways } : {} }
}

function update(store: StackStore, side: StackSide, { params, body }: FarCall): FarAnswer {
  const gateway = findOwn(store, params.gateway ?? '')
  if (!gateway || gateway.isDeleted) return missing(params.gateway ?? '')
  applyMask(gateway.record, objectIn(body, 'gateway'), pathsIn(body))
  show(side, gateway)
  return { status: 200, body: gateway.record }
}

/** Keeps the id, and lets the EUI go (migration 20220913000000_update_gtw_eui_index). */
function remove(store: StackStore, side: StackSide, { params }: FarCall): FarAnswer {
  const gateway = findOwn(store, params.gateway ?? '')
  if (!gateway || gateway.isDeleted) return missing(params.gateway ?? '')
  gateway.isDeleted = true
  side.gateways.delete(euiOf(gateway.record, 'eui'))
  return done
}

function restore(store: StackStore, side: StackSide, { params }: FarCall): FarAnswer {
  const gateway = findOwn(store, params.gateway ?? '')
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

function findOwn(store: StackStore, gatewayId: string): StoredGateway | undefined {
  const gateway = store.gateways.get(gatewayId)
  return gateway?.owner === store.userId ? gateway : undefined
}

function mayActFor({ userId, keyOwner }: StackStore, owner: string | undefined): boolean {
  return keyOwner === 'user' && owner === userId
}

function denied(kind: string, id: string): FarAnswer {
  return fail(403, `pkg/auth/rights:no_${kind}_rights`, `no rights for ${kind} \`${id}\``)
}

function missing(gatewayId: string): FarAnswer {
  return fail(
    404,
    'pkg/identityserver/store:gateway_not_found',
    `gateway with id \`${gatewayId}\` not found`,
  )
}
