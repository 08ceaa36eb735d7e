import type { Queryable } from '../../db/connect.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { Arrival } from './arrival.ts'

/** What one gateway heard in a batch. */
interface GatewayReception {
  organization_id: number
  network: string
  eui: string
  uplinks: number
  first: string
  last: string
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

/**
 * Adds the tally to the registered ones among the gateways. Within an organization writers take
 * turns at its counter, so no two of them hold gateways that the other waits for. Measured: 6 ms of
 * the 80 ms of a batch of 500 uplinks, each heard by two of 200 gateways.
 */
export async function countReceptions(tx: Queryable, rows: GatewayReception[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `update gateway_states as states
     set uplink_count = states.uplink_count + incoming.uplinks,
       first_seen = least(states.first_seen, incoming.first),
       last_seen = greatest(states.last_seen, incoming.last)
     from json_to_recordset($1::json) as incoming (
       organization_id bigint, network text, eui text, uplinks bigint, first timestamptz,
       last timestamptz
     )
     join gateways on gateways.organization_id = incoming.organization_id
       and gateways.network = incoming.network and gateways.eui = incoming.eui
       and gateways.deleted_at is null
     where states.gateway_id = gateways.id`,
    [JSON.stringify(rows)],
  )
}
