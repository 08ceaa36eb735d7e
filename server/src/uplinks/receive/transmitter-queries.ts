import type { Queryable } from '../../db/connect.ts'
import type { SendingAccount } from '../../features/accounts/connections/sending-account.ts'
import { latestUplink } from '../rows/by-ordinal.ts'
import { euiOf, receptionsOf } from '../rows/receptions.ts'
import type { EventSubject } from './message-queries.ts'

/**
 * Counts a sent downlink, of which the network names no gateway, at the one that heard the latest
 * uplink of its device with the best SNR: network servers prefer it (`downlinkPathsFromMetadata` of
 * The Things Stack, pkg/networkserver/downlink.go). Counts none where that is no gateway of the
 * organization.
 */
export async function countAtPreferred(
  tx: Queryable,
  { network }: SendingAccount,
  { organization_id, device_id }: EventSubject,
): Promise<void> {
  await tx.query(
    `update gateway_states as counted
     set downlink_count = counted.downlink_count + 1
     from device_states as states
     cross join lateral ${latestUplink('uplinks.receptions')} as latest
     cross join lateral (
       select reception.gateway_eui from ${receptionsOf('latest')} as reception
       order by reception.snr desc nulls last
       limit 1
     ) as preferred
     join gateways on gateways.organization_id = $1 and gateways.network = $3
       and gateways.eui = ${euiOf('preferred.gateway_eui')}
       and gateways.deleted_at is null
     where states.organization_id = $1 and states.device_id = $2
       and counted.organization_id = $1 and counted.gateway_id = gateways.id`,
    [organization_id, device_id, network],
  )
}
