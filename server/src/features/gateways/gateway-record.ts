import { z } from 'zod'
import { clockTime, isoTime, plainTime } from '../../http/timestamps.ts'
import { findNetwork } from '../../networks/index.ts'
import { ownerRecord, toOwnerRecord } from '../organizations/owner-record.ts'
import type { StoredGateway } from './gateway-queries.ts'

/** The shapes of a gateway (service.md, "Gateway …"), side by side. */

const common = {
  id: z.int(),
  name: z.string(),
  gateway_bridge: z.string(),
  gateway_ip: z.string().nullable(),
  gateway_eui: z.string().nullable(),
  bridge: z.string(),
  created_at: z.string(),
}

export const liteGateway = z
  .object({
    ...common,
    region: z.string().nullable(),
    first_seen: z.string(),
    last_seen: z.string(),
    uplinks: z.int().nullable(),
    downlinks: z.int().nullable(),
  })
  .meta({ id: 'LiteGateway' })

export const listedGateway = z.object({ ...common, uuid: z.string() }).meta({ id: 'ListedGateway' })

/** As the network-data lookup has it. */
export const ownedGateway = z
  .object({ ...listedGateway.shape, user: ownerRecord })
  .meta({ id: 'OwnedGateway' })

export const fullGateway = z
  .object({
    id: z.int(),
    user_id: z.int(),
    gateway_name: z.string(),
    gateway_bridge: z.string(),
    register_status: z.enum(['pending', 'active', 'register_error']),
    error_msg: z.string().nullable(),
    config_json: z.record(z.string(), z.string()).nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    uuid: z.string(),
    gateway_ip: z.string().nullable(),
    gateway_eui: z.string().nullable(),
    user: ownerRecord,
  })
  .meta({ id: 'Gateway' })

export function toLiteGateway(gateway: StoredGateway): z.infer<typeof liteGateway> {
  return {
    ...toCommon(gateway),
    region: gateway.region,
    first_seen: plainTime(gateway.first_seen),
    last_seen: plainTime(gateway.last_seen),
    uplinks: gateway.uplink_count,
    downlinks: gateway.downlink_count,
  }
}

export function toListedGateway(gateway: StoredGateway): z.infer<typeof listedGateway> {
  return { ...toCommon(gateway), uuid: gateway.uuid }
}

export function toOwnedGateway(gateway: StoredGateway): z.infer<typeof ownedGateway> {
  return { ...toListedGateway(gateway), user: toOwnerRecord(gateway) }
}

export function toFullGateway(gateway: StoredGateway): z.infer<typeof fullGateway> {
  const hasSettings = Object.keys(gateway.settings).length > 0
  return {
    id: gateway.id,
    user_id: gateway.user_id,
    gateway_name: gateway.name,
    gateway_bridge: gateway.network,
    register_status: gateway.register_status,
    error_msg: gateway.register_error,
    config_json: hasSettings ? gateway.settings : null,
    created_at: isoTime(gateway.created_at),
    updated_at: isoTime(gateway.updated_at),
    uuid: gateway.uuid,
    gateway_ip: gateway.ip,
    gateway_eui: gateway.gateway_eui,
    user: toOwnerRecord(gateway),
  }
}

function toCommon(gateway: StoredGateway) {
  return {
    id: gateway.id,
    name: gateway.name,
    gateway_bridge: gateway.network,
    gateway_ip: gateway.ip,
    gateway_eui: gateway.gateway_eui,
    bridge: findNetwork(gateway.network)?.name ?? gateway.network,
    created_at: clockTime(gateway.created_at),
  }
}
