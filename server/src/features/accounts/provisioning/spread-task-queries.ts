import type { Queryable } from '../../../db/connect.ts'
import type { DeviceTask, GatewayTask, ProvisioningTask } from './outbox-queries.ts'

/** A claimed call, without the values of its device or gateway. */
export type ClaimedCall = Omit<DeviceTask, 'kind' | 'target_id' | keyof DeviceValues> & {
  device_id: number | null
  gateway_id: number | null
  /** Of the move of which the call is a step. */
  place: Pick<DeviceTask, 'app_region' | 'frequency_plan' | 'network_profile'> | null
}

type DeviceValues = Pick<
  DeviceTask,
  | 'name'
  | 'join_eui'
  | 'app_region'
  | 'frequency_plan'
  | 'sealed_key'
  | 'type_id'
  | 'network_profile'
  | 'radio'
  | 'sealed_network_key'
>
type GatewayValues = Pick<GatewayTask, 'name' | 'region' | 'description' | 'settings'>

/**
 * Adds the values of the devices and gateways, where these are on another machine than the outbox
 * (docs/scaling.md). All calls are of one organization.
 */
export async function describeTasks(
  db: Queryable,
  calls: readonly ClaimedCall[],
): Promise<ProvisioningTask[]> {
  const organizationId = calls[0]?.organization_id ?? 0
  const read = async <Values>(text: string, ids: (number | null)[]) => {
    const given = ids.filter((id) => id !== null)
    if (given.length === 0) return new Map<number, Values>()
    const rows = await db.query<Values & { id: number }>(text, [organizationId, given])
    return new Map(rows.map(({ id, ...values }) => [id, values as Values]))
  }
  const [devices, gateways] = await Promise.all([
    read<DeviceValues>(
      devicesOfTasks,
      calls.map((call) => call.device_id),
    ),
    read<GatewayValues>(
      gatewaysOfTasks,
      calls.map((call) => call.gateway_id),
    ),
  ])
  return calls.flatMap(({ device_id, gateway_id, place, ...call }): ProvisioningTask[] => {
    const device = device_id === null ? undefined : devices.get(device_id)
    if (device_id !== null && device) {
      return [{ ...call, ...device, ...place, kind: 'device', target_id: device_id }]
    }
    const gateway = gateway_id === null ? undefined : gateways.get(gateway_id)
    if (gateway_id === null || !gateway) return []
    return [{ ...call, ...gateway, kind: 'gateway', target_id: gateway_id }]
  })
}

const devicesOfTasks = `select id, name, join_eui, app_region, frequency_plan, sealed_key, type_id, network_profile,
    radio, sealed_network_key
  from devices where organization_id = $1 and id = any($2::bigint[])`

const gatewaysOfTasks = `select id, name, region, description, settings
  from gateways where organization_id = $1 and id = any($2::bigint[])`
