import { readRegistration } from '../../features/fleet/gateways/gateway-registration.ts'
import { isEui } from '../../lora/eui.ts'
import { toServer } from '../../networks/thethingsnetwork/account.ts'
import { findAccount, type KnownAccount, noAccountAt } from './known-accounts.ts'
import { type Foreign, gatewayPlaceOf, type KnownGateway } from './known-fleet.ts'
import { elsewhere, isSamePlace, promises, type Way } from './plan.ts'
import type { DevicePlace } from './source-device.ts'
import type { SourceGateway } from './source-gateway.ts'

/** What is done with a gateway. `place`: it is there, and only its place on the map is missing. */
export type GatewayAction = Exclude<Way, 'record'> | 'place' | 'none'

export interface GatewayRow {
  /** Of a file, as a spreadsheet shows it; elsewhere from 1, in the order of the source. */
  number: number
  gateway: SourceGateway
  action: GatewayAction
  status: 'planned' | 'done' | 'failed'
  message: string
}

/** What is known of the service when the gateways are planned. */
export interface GatewayWorld {
  way: Way
  /** Of gateways whose source names no place. */
  place: DevicePlace
  /** Members of POST /gateways for gateways whose source does not tell them. */
  fields: Readonly<Record<string, string>>
  /** By `gatewayPlaceOf`. */
  gateways: ReadonlyMap<string, KnownGateway>
  /** What only the account's network has; undefined where that is not known. */
  foreign: Foreign | undefined
  accounts: readonly KnownAccount[]
}

/** Plans the gateways in order, each on its own. Nothing is changed. */
export function planGateways(
  gateways: readonly SourceGateway[],
  world: GatewayWorld,
): GatewayRow[] {
  const seen = new Map<string, number>()
  return gateways.map((gateway, index): GatewayRow => {
    const number = gateway.row ?? index + 1
    const place = gatewayPlaceOf(gateway.place.network ?? world.place.network, gateway.eui)
    const earlier = seen.get(place)
    if (earlier === undefined) seen.set(place, number)
    if (earlier === undefined) return { number, gateway, ...planGateway(gateway, place, world) }
    return { number, gateway, ...failed(`Row ${earlier} has the same gateway EUI.`) }
  })
}

type Planned = Pick<GatewayRow, 'action' | 'status' | 'message'>

function planGateway(gateway: SourceGateway, place: string, world: GatewayWorld): Planned {
  const { eui, fault: ownFault } = gateway
  if (!isEui(eui)) return failed(ownFault ?? 'The gateway EUI must have 16 hexadecimal digits.')
  const known = world.gateways.get(place)
  if (known) return planKnown(gateway, known, world)
  if (ownFault !== undefined) return failed(ownFault)
  const { way } = world
  if (way === 'record')
    return failed('A gateway is always at a network: it cannot be only recorded.')
  const fault = way === 'adopt' ? findListFault(gateway, world) : findFormFault(gateway, world)
  if (fault !== undefined) return failed(fault)
  return { action: way, status: 'planned', message: promises[way] }
}

function planKnown(
  { position }: SourceGateway,
  known: KnownGateway,
  { way, place }: GatewayWorld,
): Planned {
  if (known.status === 'register_error') {
    return failed(`Already here, but refused by its network: ${known.error ?? 'without words'}`)
  }
  const here =
    way === 'adopt' && !isSamePlace(known.place, place) ? elsewhere(known) : 'Already here'
  if (!position || known.isPlaced) return { action: 'none', status: 'done', message: `${here}.` }
  return { action: 'place', status: 'planned', message: `${here}; would be put on the map.` }
}

function findListFault({ eui }: SourceGateway, { foreign }: GatewayWorld): string | undefined {
  if (foreign === undefined || foreign.gateway.has(eui)) return undefined
  const reason = foreign.leftOut.gateway
  if (reason !== undefined) return `The organization's account sees no gateways. ${reason}`
  return "The organization's account does not list the gateway: it is somebody else's there, or ignored."
}

/** Checks by the form of the network, as the service will. */
function findFormFault(gateway: SourceGateway, world: GatewayWorld): string | undefined {
  const place = { ...world.place, ...gateway.place }
  if (!place.network) return 'No network is given: --network names one.'
  if (place.accountName !== undefined && !findAccount(world.accounts, place)) {
    return `${noAccountAt(place)}.`
  }
  const { errors } = readRegistration(toRegistration(gateway, world))
  return Object.values(errors).flat().join(' ') || undefined
}

/** The body of POST /gateways. */
export function toRegistration(
  gateway: SourceGateway,
  { place, fields, accounts }: Pick<GatewayWorld, 'place' | 'fields' | 'accounts'>,
) {
  const whole = { ...place, ...gateway.place }
  const { network, accountName } = whole
  return {
    ...zoneOf(findAccount(accounts, whole)),
    ...fields,
    ...gateway.fields,
    gateway_bridge: network,
    ...(accountName !== undefined && { account_name: accountName }),
    gateway_eui: gateway.eui,
    gateway_name: gateway.name,
    ...(gateway.description !== undefined && { description: gateway.description }),
    ...(Object.keys(gateway.tags).length > 0 && { tags: gateway.tags }),
  }
}

/** The form of The Things Stack asks for a zone; the account's own has the name of its cluster. */
function zoneOf(account: KnownAccount | undefined): { zone_id?: string } {
  if (account?.network !== 'thethingsnetwork') return {}
  const { hostname = '' } = toServer(account.fields.cluster ?? '') ?? {}
  const [, zone] = /(?:^|\.)([a-z0-9]+)\.cloud\.thethings\./.exec(hostname) ?? []
  // Elsewhere the form's value does not matter: there is one cluster.
  return { zone_id: zone ?? 'eu1' }
}

function failed(message: string): Planned {
  return { action: 'none', status: 'failed', message }
}
