import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { clockTime, isoTime, plainTime } from '../../../http/timestamps.ts'
import { findNetwork } from '../../../networks/index.ts'
import { ownerRecord, toOwnerRecord } from '../../people/users/user-record.ts'
import type { StoredGateway } from '../inventory/gateway-queries.ts'

/** The records of a gateway (docs/contract.txt, 2.8 to 2.10). */

const common = withExamples(
  {
    id: z.int(),
    name: z.string(),
    gateway_bridge: z.string(),
    gateway_ip: z.string().nullable(),
    gateway_eui: z.string().nullable(),
    bridge: z.string(),
    created_at: z.string(),
  },
  {
    id: 7,
    name: 'Roof',
    gateway_bridge: 'chirpstack',
    gateway_ip: '192.168.2.1',
    gateway_eui: '00AA0000000000F1',
    bridge: 'ChirpStack v4',
    created_at: 'Feb 02, 2026 10:15 AM',
  },
)

export const liteGateway = z
  .object({
    ...common,
    ...withExamples(
      {
        region: z.string().nullable(),
        first_seen: z.string(),
        last_seen: z.string(),
        uplinks: z.int().nullable(),
        downlinks: z.int().nullable(),
      },
      {
        region: 'EU868',
        first_seen: '2026-02-02 10:20:41',
        last_seen: '2026-03-01 11:59:07',
        uplinks: 18422,
        downlinks: 37,
      },
    ),
  })
  .meta({ id: 'LiteGateway' })

export const listedGateway = z
  .object({
    ...common,
    ...withExamples({ uuid: z.string() }, { uuid: '00000000-0000-4000-a000-0000000000f1' }),
  })
  .meta({ id: 'ListedGateway' })

/** The record in the network-data lookup. */
export const ownedGateway = z
  .object({ ...listedGateway.shape, user: ownerRecord })
  .meta({ id: 'OwnedGateway' })

export const fullGateway = z
  .object(
    withExamples(
      {
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
      },
      {
        id: 7,
        user_id: 3,
        gateway_name: 'Roof',
        gateway_bridge: 'chirpstack',
        register_status: 'active',
        error_msg: null,
        config_json: null,
        created_at: '2026-02-02T10:15:00.500000Z',
        updated_at: '2026-02-02T10:15:01.250000Z',
        uuid: '00000000-0000-4000-a000-0000000000f1',
        gateway_ip: '192.168.2.1',
        gateway_eui: '00AA0000000000F1',
      },
    ),
  )
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

/** The address to which a gateway of kind `other` posts its uplinks. */
export function callbackAddress(publicUrl: string, uuid: string): string {
  return `${publicUrl}/v1/callbacks/other/${uuid}`
}
