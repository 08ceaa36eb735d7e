import type { ServiceApi } from '../service-api.ts'
import { reconciliationOf } from './known-accounts.ts'
import type { Row } from './plan.ts'
import type { Progress } from './progress.ts'
import type { DevicePlace } from './source-device.ts'

/** Rows of one request: the network is asked for its list each time. */
const perRequest = 500

interface ReportRow {
  eui: string | null
  result?: { status: boolean; message: string }
}

interface Adopting<Planned> {
  toRequest(row: Planned): { eui: string }
  progress: Progress
}

/**
 * Takes over what the account's network has, devices or gateways. Stops between two requests when it
 * is asked to.
 */
export async function adoptRows<Planned extends Pick<Row, 'status' | 'message'>>(
  service: ServiceApi,
  place: DevicePlace,
  rows: readonly Planned[],
  { toRequest, progress }: Adopting<Planned>,
): Promise<void> {
  const { path, named } = reconciliationOf(place)
  for (let start = 0; start < rows.length; start += perRequest) {
    const batch = rows
      .slice(start, start + perRequest)
      .map((row) => ({ row, request: toRequest(row) }))
    const body = { ...named, rows: batch.map(({ request }) => request) }
    const { data }: { data: { rows: ReportRow[] } } = await service.call('POST', path, { body })
    const results = new Map(data.rows.map(({ eui, result }) => [eui, result]))
    for (const { row, request } of batch) {
      const result = results.get(request.eui)
      row.status = result?.status ? 'done' : 'failed'
      row.message = result?.message ?? 'The service did not answer for it.'
    }
    progress.count('adopted', start + batch.length, rows.length)
  }
}

export function toDeviceAdoption({ device, typeId }: Row) {
  return {
    kind: 'device',
    eui: device.eui,
    action: 'adopt',
    device_type: typeId,
    device_name: device.name,
    ...(device.key !== undefined && { device_key: device.key }),
    ...(device.networkKey !== undefined && { network_key: device.networkKey }),
    ...(device.joinEui !== undefined && { join_eui: device.joinEui }),
  }
}
