import type { Queryable } from '../../db/connect.ts'
import { isOfAny } from '../../db/distribution/places.ts'
import type { Transaction } from '../../db/transaction.ts'
import {
  type GatewayOfUplink,
  readReceptions,
  type StoredReceptions,
  toReceptions,
} from '../rows/receptions.ts'
import { readByKey, readingByKey, type UplinkKey } from './key-queries.ts'

/* Which gateways heard uplinks, and how many each. */

/** The uplinks of a batch that one gateway heard. */
export interface GatewayReception {
  organization_id: number
  network: string
  eui: string
  uplinks: number
  first: string
  last: string
  /** Where it stands, as the last of them that has it tells. */
  latitude?: number
  longitude?: number
}

/**
 * Adds the counts to those gateways that are registered. Within an organization, writers run one
 * after the other, by the lock of its counter. So no two writers wait for gateways that the other
 * has locked. Measured: 6 ms of the 80 ms of a batch of 500 uplinks, each heard by two of 200
 * gateways.
 */
export function countReceptions(tx: Transaction, rows: GatewayReception[]): void {
  if (rows.length === 0) return
  tx.send(
    `update gateway_states as states
     set uplink_count = states.uplink_count + incoming.uplinks,
       first_seen = least(states.first_seen, incoming.first),
       last_seen = greatest(states.last_seen, incoming.last),
       latitude = coalesce(incoming.latitude, states.latitude),
       longitude = coalesce(incoming.longitude, states.longitude)
     from json_to_recordset($1::json) as incoming (
       organization_id bigint, network text, eui text, uplinks bigint, first timestamptz,
       last timestamptz, latitude double precision, longitude double precision
     )
     join gateways on gateways.organization_id = incoming.organization_id
       and gateways.network = incoming.network and gateways.eui = incoming.eui
       and gateways.deleted_at is null
     where states.organization_id = gateways.organization_id and states.gateway_id = gateways.id
       and ${isOfAny('states.organization_id', '$2')}
       and ${isOfAny('gateways.organization_id', '$2')}`,
    [JSON.stringify(rows), [...new Set(rows.map((row) => row.organization_id))]],
  )
}

export interface HeardUplink {
  organization_id: number
  ordinal: number
  device_id: number
  deduplication_key: string
  gateways: GatewayOfUplink[]
}

const storedReceptions = readingByKey(`next.organization_id, next.ordinal, next.device_id,
  next.deduplication_key, next.receptions`)

/** Reads the gateways of stored uplinks. */
export async function findReceptions(
  tx: Queryable,
  keys: readonly UplinkKey[],
): Promise<HeardUplink[]> {
  const rows = await readByKey<HeardUplink & StoredReceptions>(tx, keys, storedReceptions)
  return rows.map((row) => ({ ...row, gateways: readReceptions(row) }))
}

/** Sets the gateways of uplinks. An uplink takes its signal and place from its first gateway. */
export async function setReceptions(tx: Queryable, rows: readonly HeardUplink[]): Promise<void> {
  const changes = rows.map(({ organization_id, ordinal, gateways }) => {
    const [best] = gateways
    return {
      organization_id,
      ordinal,
      receptions: toReceptions(gateways),
      rssi: best?.rssi === undefined ? null : Math.round(best.rssi),
      snr: best?.snr ?? null,
      latitude: best?.lat ?? null,
      longitude: best?.lng ?? null,
    }
  })
  await tx.query(
    `update uplinks
     set receptions = changes.receptions, rssi = changes.rssi, snr = changes.snr,
       latitude = changes.latitude, longitude = changes.longitude
     from json_to_recordset($1::json) as changes (
       organization_id bigint, ordinal bigint, receptions jsonb, rssi integer,
       snr double precision, latitude double precision, longitude double precision
     )
     where uplinks.organization_id = changes.organization_id and uplinks.ordinal = changes.ordinal
       and ${isOfAny('uplinks.organization_id', '$2')}`,
    [JSON.stringify(changes), [...new Set(rows.map((row) => row.organization_id))]],
  )
}
