// Public NWK REST API 5.0, networks and gateways.

import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarGateway } from '../far-dialect.ts'
import {
  type GatewayRecord,
  membersOf,
  ok,
  pageOf,
  refuse,
  type Side,
  type Store,
  textOf,
} from './store.ts'

type Gateway = FarGateway<GatewayRecord>

/** Some of the hardware that LORIOT lists, from the data in its migration tool. */
export const models = [
  {
    base: 'kerlink',
    basename: 'Kerlink',
    model: 'evolution',
    bus: ['SPI'],
    card: [0],
    concentrator: ['kerlink_femtocell'],
  },
  {
    base: 'kerlink',
    basename: 'Kerlink',
    model: 'istation',
    bus: ['SPI'],
    card: [0],
    concentrator: ['kerlink_femtocell'],
  },
  {
    base: 'linux',
    basename: 'Linux',
    model: 'x64',
    bus: ['USB', 'SPI'],
    card: [0, 1],
    concentrator: ['sx1301_ref', 'sx1302_ref'],
  },
  {
    base: 'basics-station',
    basename: 'Basics Station',
    model: 'semtech',
    bus: ['SPI'],
    card: [''],
    concentrator: ['SX130x'],
  },
] as const

export function createGatewayRoutes(side: Side, store: Store): FarRoute[] {
  const inNetwork =
    (handle: (call: FarCall) => FarAnswer): FarRoute[2] =>
    (call) =>
      call.params.network === store.networkId ? handle(call) : refuse(403, 'Not enough permissions')
  const aboutGateway =
    (handle: (call: FarCall, gateway: Gateway) => FarAnswer): FarRoute[2] =>
    (call) => {
      const id = (call.params.gateway ?? '').toUpperCase()
      const gateway = [...side.gateways.values()].find(({ record }) => record.id === id)
      return gateway ? handle(call, gateway) : refuse(403, 'Forbidden')
    }
  const network = '/1/nwk/network/:network'
  return [
    ['GET', '/1/nwk/networks', (call) => pageOf([describeNetwork(store)], 'networks', call)],
    ['GET', network, inNetwork(() => ok(describeNetwork(store)))],
    ['GET', `${network}/gateways`, inNetwork((call) => listGateways(side, call))],
    ['POST', `${network}/gateways`, inNetwork((call) => createGateway(side, store, call))],
    ['GET', '/1/nwk/gateway/models', (call) => pageOf(models, 'apps', call)],
    ['GET', '/1/nwk/gateway/:gateway', aboutGateway((_call, gateway) => ok(describe(gateway)))],
    ['POST', '/1/nwk/gateway/:gateway', aboutGateway(updateGateway)],
    [
      'DELETE',
      '/1/nwk/gateway/:gateway',
      aboutGateway((_call, { eui }) => {
        side.gateways.delete(eui)
        return { status: 204 }
      }),
    ],
  ]
}

function describeNetwork({ networkId }: Store) {
  return { _id: Number.parseInt(networkId, 16), name: 'Roofs', visibility: 'private' }
}

function describe({ eui, name, record }: Gateway) {
  const { id, ...rest } = record
  return { _id: id, EUI: eui.replace(/..(?!$)/g, '$&-'), title: name, ...rest }
}

function listGateways(side: Side, call: FarCall): FarAnswer {
  return pageOf([...side.gateways.values()].map(describe), 'gateways', call)
}

function createGateway(side: Side, store: Store, call: FarCall): FarAnswer {
  const members = membersOf(call)
  const invalid = refuse(400, 'Invalid options in JSON body request parameters')
  const [base, model, bus, concentrator, MAC] = ['base', 'model', 'bus', 'concentrator', 'MAC'].map(
    (name) => textOf(members, name) ?? '',
  ) as [string, string, string, string, string]
  const { card } = members
  const isCard = typeof card === 'number' || typeof card === 'string'
  if (!isCard || !isLocation(members.location)) return invalid
  if (!/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(MAC)) return invalid
  const fits = models.some(
    (known) =>
      known.base === base &&
      known.model === model &&
      (known.bus as readonly string[]).includes(bus) &&
      (known.card as readonly unknown[]).includes(card) &&
      (known.concentrator as readonly string[]).includes(concentrator),
  )
  if (!fits) return invalid
  const eui = textOf(members, 'customEUI')?.toUpperCase() ?? euiOf(MAC)
  if (side.gateways.has(eui) || store.foreign.has(eui))
    return refuse(400, 'Gateway already registered')
  const region = textOf(members, 'region')
  const record = {
    id: eui,
    MAC,
    base,
    model,
    bus,
    concentrator,
    card,
    location: members.location,
    ...(region ? { region } : {}),
  }
  const gateway = { eui, name: textOf(members, 'title') ?? eui, record }
  side.gateways.set(eui, gateway)
  return ok(describe(gateway))
}

function isLocation(value: unknown): boolean {
  const { lat, lon } = (value ?? {}) as { lat?: unknown; lon?: unknown }
  return typeof lat === 'number' && typeof lon === 'number'
}

/** Puts FFFF in the middle of the MAC. */
function euiOf(MAC: string): string {
  const digits = MAC.replaceAll(':', '').toUpperCase()
  return `${digits.slice(0, 6)}FFFF${digits.slice(6)}`
}

function updateGateway(call: FarCall, gateway: Gateway): FarAnswer {
  const { location } = membersOf(call)
  gateway.name = textOf(membersOf(call), 'title') ?? gateway.name
  if (location !== undefined) gateway.record.location = location
  return ok(membersOf(call))
}
