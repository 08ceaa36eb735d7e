import type { Queryable } from '../../db/connect.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { Reception } from '../../networks/network-message.ts'
import { compareSnr } from '../../networks/uplink.ts'
import type { Arrival } from './arrival.ts'
import type { GatewayReception } from './state-queries.ts'
import {
  findReceptions,
  type GatewayOfUplink,
  type StoredReceptions,
  setReceptions,
} from './writer-queries.ts'

/** An uplink that is stored, and what another message about it says of its gateways. */
interface MoreReceptions {
  organizationId: number
  deviceId: number
  deduplicationKey: string
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
 * Adds the gateways that further messages about stored uplinks name, best SNR first, of which the
 * first one's signal and place are the uplink's. The organizations' counters are locked, so that
 * nobody else writes these rows. Returns what was new.
 */
export async function addReceptions<More extends MoreReceptions>(
  tx: Queryable,
  further: readonly More[],
): Promise<More[]> {
  if (further.length === 0) return []
  const stored = await findReceptions(
    tx,
    further.map((one) => ({
      organization_id: one.organizationId,
      device_id: one.deviceId,
      key: one.deduplicationKey,
    })),
  )
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
  if (changed.size > 0) await setReceptions(tx, [...changed])
  return news
}

function keyOf(deviceId: number, deduplicationKey: string): string {
  return `${deviceId} ${deduplicationKey}`
}

/** Sums up which gateways heard the uplinks of a batch, those that are nobody's included. */
export function createTally() {
  const heard = new Map<string, GatewayReception>()
  return {
    /** The uplink, heard at `time`, counts for gateways of its device's organization. */
    add(organizationId: number, { account, uplink }: Arrival, time: string): void {
      for (const eui of hearersOf(account.gatewayEui, uplink.receptions)) {
        const key = `${organizationId} ${account.network} ${eui}`
        const known = heard.get(key)
        if (known) {
          known.uplinks += 1
          if (time < known.first) known.first = time
          if (time > known.last) known.last = time
        } else {
          const { network } = account
          const tally = { organization_id: organizationId, network, eui }
          heard.set(key, { ...tally, uplinks: 1, first: time, last: time })
        }
      }
    },
    rows: (): GatewayReception[] => [...heard.values()],
  }
}

/** Each once; a gateway that delivers an uplink itself has heard it, whoever else did. */
function hearersOf(sender: string | undefined, receptions: { gatewayEui: string }[]): Set<string> {
  const hearers = new Set(receptions.map(({ gatewayEui }) => normalizeEui(gatewayEui)))
  if (sender !== undefined) hearers.add(sender)
  return hearers
}
