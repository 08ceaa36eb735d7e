import type { Queryable } from '../../db/connect.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import type { Kind } from './difference.ts'

export interface RepairTarget {
  kind: Kind
  id: number
  organization_id: number
  eui: string
  network: string
  register_method: string
  /** Always so for a gateway. */
  has_key: boolean
}

/** Locks those that are there and nobody is changing just now: to wait could end in a round. */
export function lockSteady(
  tx: Queryable,
  { organization_id, network, register_method }: StoredAccount,
  kind: Kind,
  euis: readonly string[],
): Promise<RepairTarget[]> {
  const isMine =
    kind === 'device'
      ? `(targets.organization_id = $1 or $3 = 'vendor') and not targets.is_console_only`
      : 'targets.organization_id = $1'
  return tx.query<RepairTarget>(
    `select '${kind}' as kind, targets.id, targets.organization_id, targets.eui, targets.network,
       targets.register_method,
       ${kind === 'device' ? 'targets.sealed_key is not null' : 'true'} as has_key
     from ${kind}s as targets
     where ${isMine} and targets.network = $2 and targets.register_method = $3
       and targets.eui = any($4) and targets.deleted_at is null
     for no key update of targets skip locked`,
    [organization_id, network, register_method, euis],
  )
}

/** They are to be added once more. */
export async function markPending(
  tx: Queryable,
  kind: Kind,
  ids: readonly number[],
): Promise<void> {
  await tx.query(
    `update ${kind}s set register_status = 'pending', register_error = null where id = any($1)`,
    [ids],
  )
}

export async function setSealedKeys(
  tx: Queryable,
  keys: readonly { id: number; sealedKey: Buffer }[],
): Promise<void> {
  const given = keys.map(({ id, sealedKey }) => ({ id, sealed: sealedKey.toString('hex') }))
  await tx.query(
    `update devices set sealed_key = decode(given.sealed, 'hex')
     from json_to_recordset($1) as given(id bigint, sealed text)
     where devices.id = given.id`,
    [JSON.stringify(given)],
  )
}

/** In hexadecimal; what is null stays. */
export interface TakenOver {
  id: number
  joinEui: string | null
  sealedKey: string | null
  /** The key in whose place the other comes. */
  sealedBefore: string | null
}

/** Gives the ids of those that were changed: not those whose key is another by now. */
export async function takeOverAll(
  tx: Queryable,
  changes: readonly TakenOver[],
): Promise<Set<number>> {
  const rows = await tx.query<{ id: number }>(
    `update devices
     set join_eui = coalesce(given."joinEui", devices.join_eui),
       sealed_key = coalesce(decode(given."sealedKey", 'hex'), devices.sealed_key)
     from json_to_recordset($1) as given(
       id bigint, "joinEui" text, "sealedKey" text, "sealedBefore" text
     )
     where devices.id = given.id and (
       given."sealedKey" is null
       or devices.sealed_key is not distinct from decode(given."sealedBefore", 'hex')
     )
     returning devices.id`,
    [JSON.stringify(changes)],
  )
  return new Set(rows.map(({ id }) => id))
}
