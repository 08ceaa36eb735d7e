import type { Queryable } from '../../db/connect.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { Reception } from '../../networks/network-message.ts'
import { compareSnr } from '../../networks/uplink.ts'
import type { GatewayOfUplink } from '../rows/receptions.ts'
import type { Arrival } from './arrival.ts'
import type { UplinkKey } from './key-queries.ts'
import type { GatewayReception } from './state-queries.ts'
import { findReceptions, type HeardUplink, setReceptions } from './writer-queries.ts'

/** A stored uplink, and the receptions of another message about it. */
interface MoreReceptions {
  key: UplinkKey
  receptions: readonly Reception[]
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
 * Adds the gateways of further messages to stored uplinks, best SNR first. The uplink takes its
 * signal and place from the first gateway. The counters of the organizations are locked, so no
 * other writer changes these rows. Returns the new receptions.
 */
export async function addReceptions<More extends MoreReceptions>(
  tx: Queryable,
  further: readonly More[],
): Promise<More[]> {
  if (further.length === 0) return []
  const stored = await findReceptions(
    tx,
    further.map(({ key }) => key),
  )
  const byKey = new Map(stored.map((row) => [keyOf(row.device_id, row.deduplication_key), row]))
  const changed = new Set<HeardUplink>()
  const news = further.flatMap((one) => {
    const row = byKey.get(keyOf(one.key.device_id, one.key.key))
    if (!row) return []
    const known = new Set(row.gateways.map(({ gateway_eui }) => gateway_eui))
    const receptions = one.receptions.filter(
      // A reception without a gateway adds nothing if gateways are known.
      ({ gatewayEui }) => !known.has(gatewayEui) && (gatewayEui !== '' || known.size === 0),
    )
    if (receptions.length === 0) return []
    const named = row.gateways.filter(({ gateway_eui }) => gateway_eui !== '')
    row.gateways = [...named, ...toGateways(receptions)].sort(compareSnr)
    changed.add(row)
    return [{ ...one, receptions: [...receptions] }]
  })
  if (changed.size > 0) await setReceptions(tx, [...changed])
  return news
}

function keyOf(deviceId: number, deduplicationKey: string): string {
  return `${deviceId} ${deduplicationKey}`
}

/**
 * Counts the uplinks of a batch for each gateway that heard them. It includes gateways that are not
 * registered.
 */
export function createTally() {
  const heard = new Map<string, GatewayReception>()
  return {
    /**
     * Counts the uplink, heard at `time`, for gateways of this organization: the one of its device.
     */
    add(organizationId: number, { account, uplink }: Arrival, time: string): void {
      const places = placesOf(uplink.receptions)
      for (const eui of hearersOf(account.gatewayEui, uplink.receptions)) {
        const key = `${organizationId} ${account.network} ${eui}`
        const known = heard.get(key)
        const place = places?.get(eui)
        if (known) {
          known.uplinks += 1
          if (time < known.first) known.first = time
          if (time > known.last) known.last = time
          Object.assign(known, place)
        } else {
          const { network } = account
          const tally = { organization_id: organizationId, network, eui, ...place }
          heard.set(key, { ...tally, uplinks: 1, first: time, last: time })
        }
      }
    },
    rows: (): GatewayReception[] => [...heard.values()],
  }
}

/** Returns each gateway once. A gateway that delivers an uplink itself has also heard it. */
function hearersOf(sender: string | undefined, receptions: { gatewayEui: string }[]): Set<string> {
  const hearers = new Set(receptions.map(({ gatewayEui }) => normalizeEui(gatewayEui)))
  if (sender !== undefined) hearers.add(sender)
  return hearers
}

type Place = Pick<GatewayReception, 'latitude' | 'longitude'>

/** The places that an uplink tells, by gateway; most networks tell none. */
function placesOf(receptions: readonly Reception[]): Map<string, Place> | undefined {
  if (!receptions.some(({ latitude }) => latitude !== undefined)) return undefined
  return new Map(
    receptions.flatMap(({ gatewayEui, latitude, longitude }): [string, Place][] =>
      latitude === undefined || longitude === undefined
        ? []
        : [[normalizeEui(gatewayEui), { latitude, longitude }]],
    ),
  )
}
