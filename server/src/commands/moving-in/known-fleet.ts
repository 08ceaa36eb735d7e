import { normalizeEui } from '../../lora/eui.ts'
import type { ServiceApi } from '../service-api.ts'
import { reconciliationOf } from './known-accounts.ts'
import type { DevicePlace } from './source-device.ts'

/** A device that the service has already. */
export interface KnownDevice {
  id: number
  groups: ReadonlySet<number>
  place: DevicePlace
}

export interface KnownGroup {
  id: number
  name: string
  parentId: number | null
}

/** A device type of the service. */
export interface KnownType {
  id: number
  name: string
}

/** A gateway that the service has already. */
export interface KnownGateway {
  id: number
  place: DevicePlace
  status: 'pending' | 'active' | 'register_error'
  /** Why its network has not registered it. */
  error: string | null
  /** The owner or the network has told where it stands. */
  isPlaced: boolean
}

/** Where a record of the fleet is. */
interface Placed {
  network: { key: string }
  account_name?: string
}

interface ListedDevice extends Placed {
  id: number
  device_id: string
  groups: { id: number }[]
}

interface ListedGateway extends Placed, Pick<KnownGateway, 'id' | 'status' | 'error'> {
  gateway_eui: string
  position: object | null
}

/** All devices of the organization, by their normalized EUI. */
export async function readDevices(service: ServiceApi): Promise<Map<string, KnownDevice>> {
  const known = new Map<string, KnownDevice>()
  for await (const device of listFleet<ListedDevice>(service, 'devices')) {
    const groups = new Set(device.groups.map((group) => group.id))
    known.set(normalizeEui(device.device_id), { id: device.id, groups, place: toPlace(device) })
  }
  return known
}

/** All gateways of the organization, by `gatewayPlaceOf`. */
export async function readGateways(service: ServiceApi): Promise<Map<string, KnownGateway>> {
  const known = new Map<string, KnownGateway>()
  for await (const gateway of listFleet<ListedGateway>(service, 'gateways')) {
    const { id, status, error, position } = gateway
    const place = toPlace(gateway)
    known.set(gatewayPlaceOf(place.network, normalizeEui(gateway.gateway_eui)), {
      id,
      status,
      error,
      place,
      isPlaced: position !== null,
    })
  }
  return known
}

/** An organization has a gateway's EUI once at each network. */
export function gatewayPlaceOf(network: string | undefined, eui: string): string {
  return `${network} ${eui}`
}

function toPlace({ network, account_name: accountName }: Placed): DevicePlace {
  return { network: network.key, ...(accountName !== undefined && { accountName }) }
}

async function* listFleet<Listed>(
  service: ServiceApi,
  kind: 'devices' | 'gateways',
): AsyncGenerator<Listed> {
  let after = ''
  do {
    const page: { data: Listed[]; after: string | null } = await service.call(
      'GET',
      `/fleet/${kind}?limit=1000${after}`,
    )
    yield* page.data
    after = page.after === null ? '' : `&after=${encodeURIComponent(page.after)}`
  } while (after !== '')
}

export async function readGroups(service: ServiceApi): Promise<KnownGroup[]> {
  const { data } = await service.call('GET', '/fleet/groups')
  const groups: { id: number; name: string; parent_id: number | null }[] = data
  return groups.map(({ id, name, parent_id: parentId }) => ({ id, name, parentId }))
}

/** Built-in types and the organization's own. */
export async function readTypes(service: ServiceApi): Promise<KnownType[]> {
  const types: KnownType[] = []
  for (let page = 1; ; page += 1) {
    const path = `/get-device-types?itemsPerPage=1000&page=${page}`
    const { data }: { data: { id: number; full_name: string; type_name: string }[] } =
      await service.call('GET', path)
    types.push(...data.flatMap((type) => namesOf(type).map((name) => ({ id: type.id, name }))))
    if (data.length < 1000) return types
  }
}

/** A type is named by its full name, or by the part that is not its part number. */
function namesOf({ full_name, type_name }: { full_name: string; type_name: string }): string[] {
  return [...new Set([full_name, type_name])]
}

interface ReportPage {
  data: {
    rows: { kind: string; eui: string; difference: string | null }[]
    left_out: { kind: string; part: string; reason: string }[]
    more: boolean
  }
}

/** What only the account's network has, by kind. */
export interface Foreign {
  device: Set<string>
  gateway: Set<string>
  /** Why the network does not list a kind to the account. */
  leftOut: { device?: string; gateway?: string }
}

/** The network is asked now. */
export async function readForeign(service: ServiceApi, place: DevicePlace): Promise<Foreign> {
  const { path, named, pagePath } = reconciliationOf(place)
  const foreign: Foreign = { device: new Set(), gateway: new Set(), leftOut: {} }
  let report: ReportPage = await service.call('POST', path, { body: named })
  for (const { kind, part, reason } of report.data.left_out) {
    if (part === 'list' && isKind(kind)) foreign.leftOut[kind] = reason
  }
  for (let page = 1; ; page += 1) {
    for (const { kind, eui, difference } of report.data.rows) {
      if (difference === 'only_at_network' && isKind(kind)) foreign[kind].add(eui)
    }
    if (!report.data.more) return foreign
    report = await service.call('GET', pagePath(page + 1))
  }
}

function isKind(word: string): word is 'device' | 'gateway' {
  return word === 'device' || word === 'gateway'
}
