import type { Queryable } from '../../../db/connect.ts'
import { isOfSameAccount } from '../../accounts/connections/account-name.ts'
import type { MoveKey, OpenMove } from '../../accounts/provisioning/move-queries.ts'

/** What the steps of moves need of the database. */

/** Whether the call of a step is in the outbox. */
export async function hasCall(
  tx: Queryable,
  { organization_id, device_id, id }: OpenMove,
  action: 'add' | 'remove',
): Promise<boolean> {
  const calls = await tx.query(
    `select id from provisioning
     where organization_id = $1 and device_id = $2 and move_id = $3 and action = $4`,
    [organization_id, device_id, id, action],
  )
  return calls.length > 0
}

export async function hasAccount(
  tx: Queryable,
  organizationId: number,
  { network, register_method }: { network: string; register_method: string },
): Promise<boolean> {
  const accounts = await tx.query(
    `select id from network_accounts
     where network = $2 and register_method = $3 and (organization_id = $1 or $3 = 'vendor')
     limit 1`,
    [organizationId, network, register_method],
  )
  return accounts.length > 0
}

/** The end of a call is awaited: until then, there is nothing to do. */
export async function awaitCall(
  tx: Queryable,
  { organization_id, id }: Pick<OpenMove, 'organization_id' | 'id'>,
): Promise<void> {
  await tx.query('update device_moves set due_at = null where organization_id = $1 and id = $2', [
    organization_id,
    id,
  ])
}

/** Says why a step waits. */
export async function setMessage(
  tx: Queryable,
  { organizationId, moveId }: MoveKey,
  message: string,
): Promise<void> {
  await tx.query(
    `update device_moves set message = $3
     where organization_id = $1 and id = $2 and finished_at is null`,
    [organizationId, moveId, message],
  )
}

export interface DueMove extends MoveKey {
  deviceId: number
}

const columns = `moves.organization_id as "organizationId", moves.id as "moveId",
  moves.device_id as "deviceId"`

/** Lists the moves whose next step has been due for longest. */
export function listDueMoves(db: Queryable, now: Date, most: number): Promise<DueMove[]> {
  return db.query<DueMove>(
    `select ${columns} from device_moves as moves
     where moves.due_at <= $1
     order by moves.due_at, moves.id
     limit $2`,
    [now, most],
  )
}

/**
 * Lists moves that await a call that is not in the outbox, or that has no account any more. The former
 * happens during an upgrade: the previous release makes the calls and knows nothing of moves. Reads
 * all moves that await a call.
 */
export function listStrandedMoves(db: Queryable, most: number): Promise<DueMove[]> {
  return db.query<DueMove>(
    `select ${columns} from device_moves as moves
     cross join lateral (
       select moves.organization_id,
         case moves.state when 'completing' then moves.from_network else moves.to_network end
           as network,
         case moves.state when 'completing' then moves.from_method else moves.to_method end
           as register_method
     ) as place
     where moves.state in ('preparing', 'completing', 'putting_back') and (
       not exists (
         select from provisioning as calls
         where calls.organization_id = moves.organization_id
           and calls.device_id = moves.device_id and calls.move_id = moves.id
           and (calls.action = 'add') = (moves.state = 'preparing')
       )
       or moves.state <> 'preparing' and not exists (
         select from network_accounts as accounts where ${isOfSameAccount('place', 'accounts')}
       )
     )
     order by moves.id
     limit $1`,
    [most],
  )
}
