import type { Database, Queryable } from './connect.ts'
import { poolOf } from './distribution/is-distributed.ts'

/**
 * What processes of earlier releases use, and those with at least this migration do not. A migration
 * drops it where no process runs yet; beside running ones it goes when the last of these has ended.
 */
const formerIndexes = [
  { name: 'uplinks_deduplication', unusedFrom: 21 },
  { name: 'uplinks_key', unusedFrom: 41 },
  { name: 'uplinks_repeat', unusedFrom: 46 },
  { name: 'uplinks_time', unusedFrom: 46 },
  { name: 'uplinks_device', unusedFrom: 50 },
]

/** SQL: a row for each process that lives and does not know this migration. */
const olderThan = (migration: string) => `(
         select from processes
         where alive_until > clock_timestamp() and coalesce(migration, 0) < ${migration}
       )`

/** The trigger that writes for them what later processes write by themselves. */
const formerTrigger = { name: 'set_coarse_state', table: 'device_states', unneededFrom: 42 }

/** Drops what only processes of earlier releases used. */
export async function dropFormerParts(db: Database): Promise<void> {
  for (const { name, unusedFrom } of formerIndexes) {
    const [found] = await db.query(
      `select from pg_class where oid = to_regclass($1) and not exists ${olderThan('$2')}`,
      [name, unusedFrom],
    )
    // An index that was left invalid by a process that died is dropped by the next run.
    if (found) await db.query(`drop index concurrently if exists ${name}`)
  }
  const { name, table, unneededFrom } = formerTrigger
  const [found] = await db.query(
    `select from pg_proc
     where oid = to_regproc($1) and exists (
       select from pg_trigger where tgrelid = to_regclass($2) and tgfoid = pg_proc.oid
     ) and not exists ${olderThan('$3')}`,
    [name, table, unneededFrom],
  )
  if (!found) return
  await db.transaction(async (tx) => {
    // Who waits for the table stands behind this: it is tried again by the next run.
    await tx.query(`set local lock_timeout = '1s'`)
    await tx.query(`drop function ${name}() cascade`)
  })
}

/** Processes that know this migration read short rows of uplinks (docs/decisions/0047-short-rows.md). */
const shortRowsFrom = 39

/** Milliseconds until it is asked again whether such a process lives. */
const patience = 5000

const answers = new WeakMap<object, { isTrue: boolean; askedAt: number }>()

/**
 * Whether all living processes read short rows. A process of an earlier release does not start on this
 * schema, so what is true stays so. Answers at once, by what is known: the first answer is no, and
 * the database is asked meanwhile.
 */
export function areShortRowsRead(tx: Queryable): boolean {
  const pool = poolOf(tx)
  const known = answers.get(pool)
  if (known?.isTrue) return true
  if (known && performance.now() - known.askedAt < patience) return false
  const answer = { isTrue: false, askedAt: performance.now() }
  answers.set(pool, answer)
  pool
    .query(`select where not exists ${olderThan('$1')}`, [shortRowsFrom])
    .then((rows) => {
      answer.isTrue = rows.length > 0
    })
    .catch(() => undefined)
  return false
}
