import { type ServiceApi, ServiceRefusal } from '../service-api.ts'
import { adoptRows } from './adopt-rows.ts'
import { inTurns } from './in-turns.ts'
import { gatewayPlaceOf, readGateways } from './known-fleet.ts'
import {
  type GatewayRow,
  type GatewayWorld,
  planGateways,
  toRegistration,
} from './plan-gateways.ts'
import type { Progress } from './progress.ts'
import type { Position, SourceGateway } from './source-gateway.ts'

export interface GatewayTakeOver extends Omit<GatewayWorld, 'gateways'> {
  isDryRun: boolean
  signal: AbortSignal
  progress: Progress
}

/**
 * Brings the gateways of a source into the service, and says what became of each. As with devices, a
 * second run does only what is missing, and a dry run changes nothing.
 */
export async function takeOverGateways(
  service: ServiceApi,
  gateways: readonly SourceGateway[],
  plan: GatewayTakeOver,
): Promise<GatewayRow[]> {
  if (gateways.length === 0) return []
  const rows = planGateways(gateways, { ...plan, gateways: await readGateways(service) })
  if (plan.isDryRun) return rows
  const planned = (wanted: GatewayRow['action']) =>
    rows.filter(({ action, status }) => status === 'planned' && action === wanted)
  await adoptRows(service, plan.place, planned('adopt'), { ...plan, toRequest: toAdoption })
  await registerGateways(service, planned('register'), plan)
  await placeGateways(service, rows, plan)
  return rows
}

function toAdoption({ gateway: { eui, name } }: GatewayRow) {
  return { kind: 'gateway', eui, action: 'adopt', gateway_name: name }
}

interface Registered {
  gateway: { register_status: 'pending' | 'active' | 'register_error'; error_msg: string | null }
  message: string
}

/** The service tells the network of each at once. */
async function registerGateways(
  service: ServiceApi,
  rows: readonly GatewayRow[],
  plan: GatewayTakeOver,
): Promise<void> {
  let done = 0
  await inTurns(rows, plan.signal, async (row) => {
    const body = toRegistration(row.gateway, plan)
    try {
      noteRegistered(row, await service.call('POST', '/gateways', { body }))
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error
      row.status = 'failed'
      row.message = error.words
    }
    done += 1
    plan.progress.count('gateways registered', done, rows.length)
  })
}

function noteRegistered(row: GatewayRow, { gateway, message }: Registered): void {
  const { register_status: status, error_msg: words } = gateway
  row.status = status === 'register_error' ? 'failed' : 'done'
  const reason = words ?? 'its network has not answered yet.'
  if (status === 'active') row.message = message
  else if (status === 'pending') row.message = `Registered here, and waits: ${reason}`
  else row.message = `Registered here, but refused by its network: ${reason}`
}

/** Puts gateways on the map that are here now, and have no place on it. */
async function placeGateways(
  service: ServiceApi,
  rows: readonly GatewayRow[],
  { place, signal }: GatewayTakeOver,
): Promise<void> {
  const placed = rows.filter(({ gateway, status }) => gateway.position && status !== 'failed')
  if (placed.length === 0) return
  const known = await readGateways(service)
  await inTurns(placed, signal, async (row) => {
    const { eui, position, place: own } = row.gateway
    const found = known.get(gatewayPlaceOf(own.network ?? place.network, eui))
    if (!found || found.isPlaced) return
    const refusal = await putOnMap(service, found.id, position)
    if (row.action === 'place') {
      row.status = refusal === undefined ? 'done' : 'failed'
      row.message = refusal ?? 'Already here; put on the map.'
    } else if (refusal !== undefined) row.message += ` Not put on the map: ${refusal}`
  })
}

/** Returns the service's words where it refuses. */
async function putOnMap(
  service: ServiceApi,
  id: number,
  position: Position | undefined,
): Promise<string | undefined> {
  try {
    await service.call('PATCH', `/fleet/gateways/${id}`, { body: { position } })
    return undefined
  } catch (error) {
    if (error instanceof ServiceRefusal) return error.words
    throw error
  }
}
