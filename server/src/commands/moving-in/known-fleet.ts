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

interface DevicePage {
  data: {
    id: number
    device_id: string
    groups: { id: number }[]
    network: { key: string }
    account_name?: string
  }[]
  after: string | null
}

/** All devices of the organization, by their normalized EUI. */
export async function readDevices(service: ServiceApi): Promise<Map<string, KnownDevice>> {
  const known = new Map<string, KnownDevice>()
  let after = ''
  do {
    const page: DevicePage = await service.call('GET', `/fleet/devices?limit=1000${after}`)
    for (const { id, device_id, groups, network, account_name: accountName } of page.data) {
      const place = { network: network.key, ...(accountName !== undefined && { accountName }) }
      known.set(normalizeEui(device_id), {
        id,
        groups: new Set(groups.map((group) => group.id)),
        place,
      })
    }
    after = page.after === null ? '' : `&after=${encodeURIComponent(page.after)}`
  } while (after !== '')
  return known
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
  data: { rows: { kind: string; eui: string; difference: string | null }[]; more: boolean }
}

/** What only the account's network has, by kind; it is asked now. */
export async function readForeign(
  service: ServiceApi,
  place: DevicePlace,
): Promise<Record<'device' | 'gateway', Set<string>>> {
  const { path, named, pagePath } = reconciliationOf(place)
  const foreign = { device: new Set<string>(), gateway: new Set<string>() }
  let report: ReportPage = await service.call('POST', path, { body: named })
  for (let page = 1; ; page += 1) {
    for (const { kind, eui, difference } of report.data.rows) {
      const isForeign = difference === 'only_at_network'
      if (isForeign && (kind === 'device' || kind === 'gateway')) foreign[kind].add(eui)
    }
    if (!report.data.more) return foreign
    report = await service.call('GET', pagePath(page + 1))
  }
}
