import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { latestOf } from '../../../uplinks/rows/by-ordinal.ts'
import { nameOfGateway, receptionsOf } from '../../../uplinks/rows/receptions.ts'
import type { GatewayFacts } from '../gateways/gateway-verdict.ts'
import { gatewayVerdictAt, ofUsual } from '../gateways/gateway-verdict-queries.ts'

/** Uplinks before the silence that are looked at. */
export const mostLookedAt = 20
/** Gateways that are named; one in a city may be heard by many more. */
const mostGateways = 5

export interface LastSignal {
  rssi: number | null
  snr: number | null
}

export interface LastGateway extends LastSignal {
  /** Or the network's own name of it. */
  gateway_eui: string
  /** Of the uplinks that were looked at. */
  uplinks: number
  last_heard: Moment
}

/** A registered gateway. */
export interface JudgedGateway extends GatewayFacts {
  id: number
  eui: string
  name: string
}

/** The last uplinks of a device: its signal, oldest first, and the gateways that heard it, the last one first. */
export async function readLastUplinks(
  db: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<{ signal: LastSignal[]; gateways: LastGateway[] }> {
  const rows = await db.query<{ signal: LastSignal[]; gateways: LastGateway[] }>(
    `with latest as materialized (
       select uplinks.*
       from device_states as states
       cross join lateral ${latestOf(
         'uplinks.event_time, uplinks.device_ordinal, uplinks.rssi, uplinks.snr, uplinks.receptions',
         { device: '$2::bigint', count: 'states.uplink_count', most: String(mostLookedAt) },
       )} as uplinks
       where states.organization_id = $1 and states.device_id = $2
     ), heard as (
       select ${nameOfGateway('reception.gateway_eui')} as gateway_eui, count(*) as uplinks,
         max(latest.event_time) as last_heard,
         (array_agg(reception.rssi order by latest.device_ordinal desc))[1] as rssi,
         (array_agg(reception.snr order by latest.device_ordinal desc))[1] as snr
       from latest
       cross join lateral ${receptionsOf('latest')} as reception
       where reception.gateway_eui <> ''
       group by 1
       order by max(latest.event_time) desc, 2 desc, 1
       limit ${mostGateways}
     )
     select coalesce((
         select json_agg(json_build_object('rssi', rssi, 'snr', snr) order by device_ordinal)
         from latest
       ), '[]') as signal,
       coalesce((
         select json_agg(json_build_object('gateway_eui', gateway_eui, 'uplinks', uplinks,
           'last_heard', last_heard::text, 'rssi', rssi, 'snr', snr)
           order by last_heard desc, uplinks desc, gateway_eui)
         from heard
       ), '[]') as gateways`,
    [organizationId, deviceId],
  )
  return rows[0] ?? { signal: [], gateways: [] }
}

/** The registered ones among gateways of a network. One of kind other hears devices of all networks. */
export function judgeGateways(
  db: Queryable,
  organizationId: number,
  { network, euis, now }: { network: string; euis: readonly string[]; now: Date },
): Promise<JudgedGateway[]> {
  return db.query<JudgedGateway>(
    `select gateways.id, gateways.eui, gateways.name, gateways.created_at,
       gateways.register_status, gateways.register_error, states.last_seen,
       usual.seconds as usual_seconds, ${gatewayVerdictAt('$4')} as verdict
     from gateways
     join gateway_states as states on states.organization_id = gateways.organization_id
       and states.gateway_id = gateways.id
     ${ofUsual}
     where gateways.organization_id = $1 and gateways.network in ($2, 'other')
       and gateways.eui = any($3::text[]) and gateways.deleted_at is null
     order by gateways.network = $2, gateways.id`,
    [organizationId, network, euis, now],
  )
}
