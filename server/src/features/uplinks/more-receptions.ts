import type { Queryable } from '../../db/connect.ts'
import type { Reception } from '../../networks/network-message.ts'
import { compareSnr } from '../../networks/uplink.ts'
import { storedByKey, type UplinkKey } from './writer-queries.ts'

/** An uplink that is stored, and what another message about it says of its gateways. */
export interface MoreReceptions {
  organizationId: number
  deviceId: number
  deduplicationKey: string
  receptions: readonly Reception[]
}

interface StoredReceptions {
  organization_id: number
  ordinal: number
  device_id: number
  deduplication_key: string
  gateways: GatewayOfUplink[]
}

/** An entry of `uplinks.gateways`. */
export interface GatewayOfUplink {
  gateway_eui: string
  rssi: number | undefined
  snr: number | undefined
  lat: number | undefined
  lng: number | undefined
}

export function toGateways(receptions: readonly Reception[]): GatewayOfUplink[] {
  return receptions.map(({ gatewayEui, rssi, snr, latitude, longitude }) => ({
    gateway_eui: gatewayEui,
    rssi,
    snr,
    lat: latitude,
    lng: longitude,
  }))
}

/**
 * Adds the gateways that further messages about stored uplinks name, best SNR first, of which the
 * first one's signal and place are the uplink's. The organizations' counters are locked, so that
 * nobody else writes these rows. Returns what was new.
 */
export async function addReceptions<More extends MoreReceptions>(
  tx: Queryable,
  further: readonly More[],
): Promise<More[]> {
  if (further.length === 0) return []
  const stored = await read(tx, further)
  const byKey = new Map(stored.map((row) => [keyOf(row.device_id, row.deduplication_key), row]))
  const changed = new Set<StoredReceptions>()
  const news = further.flatMap((one) => {
    const row = byKey.get(keyOf(one.deviceId, one.deduplicationKey))
    if (!row) return []
    const known = new Set(row.gateways.map(({ gateway_eui }) => gateway_eui))
    const receptions = one.receptions.filter(
      // A signal without its gateway says nothing where gateways are known.
      ({ gatewayEui }) => !known.has(gatewayEui) && (gatewayEui !== '' || known.size === 0),
    )
    if (receptions.length === 0) return []
    const named = row.gateways.filter(({ gateway_eui }) => gateway_eui !== '')
    row.gateways = [...named, ...toGateways(receptions)].sort(compareSnr)
    changed.add(row)
    return [{ ...one, receptions: [...receptions] }]
  })
  if (changed.size > 0) await write(tx, [...changed])
  return news
}

function keyOf(deviceId: number, deduplicationKey: string): string {
  return `${deviceId} ${deduplicationKey}`
}

const storedReceptions = storedByKey(
  'next.organization_id, next.ordinal, next.device_id, next.deduplication_key, next.gateways',
)

function read(tx: Queryable, further: readonly MoreReceptions[]): Promise<StoredReceptions[]> {
  const keys = further.map(
    ({ organizationId, deviceId, deduplicationKey }): UplinkKey => ({
      organization_id: organizationId,
      device_id: deviceId,
      key: deduplicationKey,
    }),
  )
  return tx.query<StoredReceptions>(storedReceptions, [JSON.stringify(keys)])
}

async function write(tx: Queryable, rows: readonly StoredReceptions[]): Promise<void> {
  const changes = rows.map(({ organization_id, ordinal, gateways }) => {
    const [best] = gateways
    return {
      organization_id,
      ordinal,
      gateways,
      rssi: best?.rssi === undefined ? null : Math.round(best.rssi),
      snr: best?.snr ?? null,
      latitude: best?.lat ?? null,
      longitude: best?.lng ?? null,
    }
  })
  await tx.query(
    `update uplinks
     set gateways = changes.gateways, rssi = changes.rssi, snr = changes.snr,
       latitude = changes.latitude, longitude = changes.longitude
     from json_to_recordset($1::json) as changes (
       organization_id bigint, ordinal bigint, gateways jsonb, rssi integer,
       snr double precision, latitude double precision, longitude double precision
     )
     where uplinks.organization_id = changes.organization_id and uplinks.ordinal = changes.ordinal`,
    [JSON.stringify(changes)],
  )
}
