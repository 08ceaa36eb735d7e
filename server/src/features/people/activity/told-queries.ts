import type { Queryable } from '../../../db/connect.ts'
import { living } from '../../../db/presence.ts'

/** A chain whose records only this process reports until it settles. */
export interface ClaimedChain {
  organization_id: number
  told_position: number
}

/** Longer than telling a portion takes: a live process never loses its claim. */
const claimSeconds = 60

/** Claims the chain with untold records whose last turn is longest ago. */
export async function claimUntold(
  db: Queryable,
  processId: string | null,
): Promise<ClaimedChain | undefined> {
  const [row] = await db.query<ClaimedChain>(
    `update activity_chains
     set told_turn_at = clock_timestamp(), told_by = $1,
       told_until = clock_timestamp() + make_interval(secs => ${claimSeconds})
     where organization_id = (
       select organization_id from activity_chains
       where position > greatest(told_position, removed_position)
         and (told_until is null or told_until < clock_timestamp()
           or (told_by is not null and told_by::text not in ${living}))
       order by told_turn_at nulls first, organization_id
       limit 1
       for update skip locked
     )
     returning organization_id, told_position`,
    [processId],
  )
  return row
}

/** Ends the claim, with what is told now. */
export async function settleTold(
  db: Queryable,
  { organization_id, told_position }: ClaimedChain,
): Promise<void> {
  await db.query(
    `update activity_chains
     set told_position = greatest(told_position, $2), told_by = null, told_until = null
     where organization_id = $1`,
    [organization_id, told_position],
  )
}
