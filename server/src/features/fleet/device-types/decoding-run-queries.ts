import type { Queryable } from '../../../db/connect.ts'
import { numberArray } from '../../../db/statements.ts'
import type { Transaction } from '../../../db/transaction.ts'

/*
 * Stored frames that are decoded again: a row for each own device type whose frames are looked through,
 * in the order of the organization's uplinks (uplinks/decode-again.ts).
 */

export interface DecodingRun {
  organization_id: number
  type_id: number
  next_ordinal: number
  /** Null when the type is gone. */
  revision: number | null
}

/** A stored frame whose codec had no time for it. */
export interface UndecodedFrame {
  organization_id: number
  type_id: number
  ordinal: number
}

/**
 * Begins runs with these frames, in the transaction that stores them. A run that is there comes to
 * them: it is behind the counter, whose lock the transaction has.
 */
export function noteUndecoded(tx: Transaction, frames: readonly UndecodedFrame[]): void {
  if (frames.length === 0) return
  tx.send(
    `insert into decoding_runs (organization_id, type_id, next_ordinal)
     select organization_id, type_id, min(ordinal)
     from unnest($1::bigint[], $2::bigint[], $3::bigint[])
       as given (organization_id, type_id, ordinal)
     group by organization_id, type_id
     order by organization_id, type_id
     on conflict do nothing`,
    [
      numberArray(frames.map(({ organization_id }) => organization_id)),
      numberArray(frames.map(({ type_id }) => type_id)),
      numberArray(frames.map(({ ordinal }) => ordinal)),
    ],
  )
}

/**
 * Begins to look through all stored uplinks for frames of a type. Returns how many uplinks there are, or
 * undefined when the organization has no such type.
 */
export async function beginRun(
  db: Queryable,
  organizationId: number,
  typeId: number,
): Promise<number | undefined> {
  const rows = await db.query<{ uplinks: number }>(
    `with counter as (
       select first_ordinal, uplink_count from organization_counters where organization_id = $1
     ), begun as (
       insert into decoding_runs (organization_id, type_id, next_ordinal)
       select device_types.organization_id, device_types.id, counter.first_ordinal
       from device_types
       cross join counter
       where device_types.organization_id = $1 and device_types.id = $2
       on conflict (organization_id, type_id) do update
       set next_ordinal = excluded.next_ordinal, next_look_at = excluded.next_look_at
       returning type_id
     )
     select counter.uplink_count - counter.first_ordinal + 1 as uplinks
     from counter
     cross join begun`,
    [organizationId, typeId],
  )
  return rows[0]?.uplinks
}

/** An organization with work of each tenant, drawn by lot; `most` at most. */
export function drawTurns(db: Queryable, most: number): Promise<{ organization_id: number }[]> {
  return db.query(
    // The tenants apart, since runs may be on other machines (docs/scaling.md).
    `with due as materialized (
       select distinct organization_id from decoding_runs where next_look_at <= now()
     )
     select organization_id from (
       select distinct on (organizations.tenant_id) due.organization_id
       from due
       join organizations on organizations.id = due.organization_id
       order by organizations.tenant_id, random()
     ) as drawn
     order by random()
     limit $1`,
    [most],
  )
}

/** Keeps the run that is due longest from other processes for a minute. */
export async function claimRun(
  db: Queryable,
  organizationId: number,
): Promise<DecodingRun | undefined> {
  const rows = await db.query<DecodingRun>(
    `update decoding_runs as runs set next_look_at = now() + interval '1 minute'
     where runs.organization_id = $1 and runs.type_id = (
       select type_id from decoding_runs
       where organization_id = $1 and next_look_at <= now()
       order by next_look_at
       limit 1
       for update skip locked
     )
     returning runs.organization_id, runs.type_id, runs.next_ordinal, (
       select revision from device_types
       where device_types.organization_id = runs.organization_id
         and device_types.id = runs.type_id
     ) as revision`,
    [organizationId],
  )
  return rows[0]
}

/** Goes on with this uplink after so many seconds, unless the run has begun again. */
export async function moveOn(
  db: Queryable,
  { organization_id, type_id, next_ordinal }: DecodingRun,
  next: { ordinal: number; seconds: number },
): Promise<void> {
  await db.query(
    `update decoding_runs
     set next_ordinal = $4, next_look_at = now() + make_interval(secs => $5)
     where organization_id = $1 and type_id = $2 and next_ordinal = $3`,
    [organization_id, type_id, next_ordinal, next.ordinal, next.seconds],
  )
}

/** Ends a run that has come to the latest uplink. The lock keeps a further one from being missed. */
export async function endRun(
  tx: Queryable,
  { organization_id, type_id, next_ordinal }: DecodingRun,
): Promise<void> {
  const [counter] = await tx.query<{ uplink_count: number }>(
    'select uplink_count from organization_counters where organization_id = $1 for update',
    [organization_id],
  )
  await tx.query(
    `delete from decoding_runs
     where organization_id = $1 and type_id = $2 and next_ordinal = $3 and next_ordinal > $4`,
    [organization_id, type_id, next_ordinal, counter?.uplink_count ?? 0],
  )
}

/** Ends the run of a type that is gone. */
export async function dropRun(db: Queryable, run: DecodingRun): Promise<void> {
  await db.query('delete from decoding_runs where organization_id = $1 and type_id = $2', [
    run.organization_id,
    run.type_id,
  ])
}
