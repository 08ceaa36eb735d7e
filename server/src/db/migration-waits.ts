import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { toDatabaseError } from './errors.ts'
import { SetupError } from './setup-error.ts'

/** How long a migration waits for locks that others hold. */
export interface Patience {
  /** Milliseconds of one wait. All that comes later to the same table waits behind it. */
  readonly lockMilliseconds: number
  /** Milliseconds between the tries; after the last one the migration gives up. */
  readonly pauses: readonly number[]
}

/** Networks wait 5 s for an answer. All tries take about three minutes. */
export const usualPatience: Patience = {
  lockMilliseconds: 1000,
  pauses: [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 30_000, 30_000, 60_000],
}

/** Only for the transaction that is open. */
export async function limitWaits(client: pg.Client, { lockMilliseconds }: Patience): Promise<void> {
  await client.query(`select set_config('lock_timeout', $1, true)`, [String(lockMilliseconds)])
}

/** Whether the statement itself failed, and not the connection or a wait for others. */
export function isOfStatement(error: unknown): error is pg.DatabaseError {
  return (
    error instanceof pg.DatabaseError && toDatabaseError(error) === error && !isLockedOut(error)
  )
}

/** 55P03: a lock was not to be had in time; 40P01: the transaction lost a deadlock. */
function isLockedOut(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(55P03|40P01)$/.test(error.code ?? '')
}

/**
 * Runs `work` again when others hold the locks that it needs. `work` leaves no transaction open.
 * @throws SetupError after the last try: it says who has held transactions open for long.
 */
export async function repeatWhileLocked<T>(
  client: pg.Client,
  name: () => string,
  { pauses }: Patience,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isLockedOut(error)) throw error
      const pause = pauses[attempt]
      if (pause === undefined) throw await describeWait(client, name(), attempt + 1, error)
      await sleep(pause)
    }
  }
}

async function describeWait(client: pg.Client, name: string, attempts: number, cause: unknown) {
  const { rows } = await client.query<{ who: string }>(
    `select format('%s (process %s, for %s s)', coalesce(nullif(application_name, ''), 'unnamed'),
       pid, round(extract(epoch from clock_timestamp() - xact_start))) as who
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 3`,
  )
  const others = rows.map(({ who }) => who).join(', ') || 'none any more'
  return new SetupError(
    `Migration ${name} did not get its locks: in ${attempts} tries others held the tables that it` +
      ` changes. Open transactions: ${others}. End the longest of them, such as a backup or a session` +
      ' of psql, and start again.',
    { cause },
  )
}
