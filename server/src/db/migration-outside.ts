import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Migration, Statement } from './migration-files.ts'
import { isOfStatement, limitWaits, type Patience, repeatWhileLocked } from './migration-waits.ts'

/** The connections of a migration that runs outside a transaction. */
interface Outside {
  /** Runs the statements. */
  worker: pg.Client
  /** Holds the lock of all migrations in an open transaction, without a snapshot. */
  keeper: pg.Client
  patience: Patience
}

/**
 * Runs the statements one after the other, and remembers in `migration_progress` how far they are:
 * after a crash the next run goes on there. A statement in a transaction commits together with its
 * progress, so it runs once. An index that a crash left invalid is dropped and built again. At the
 * end, the table goes with the keeper's transaction, which records the migration.
 */
export async function runOutside(
  { worker, keeper, patience }: Outside,
  migration: Migration,
  statements: readonly Statement[],
): Promise<void> {
  // Without the keeper's lock, another server may begin: this one must not go on.
  const stop = () => void worker.end().catch(() => {})
  keeper.once('end', stop)
  try {
    await endOrphans(worker)
    await worker.query(
      `create table if not exists migration_progress (
         checksum text not null,
         statement integer not null,
         place text,
         is_done boolean not null,
         primary key (checksum, statement)
       )`,
    )
    for (const [index, statement] of statements.entries()) {
      const name = `${migration.name}, line ${statement.line}`
      const step = { worker, checksum: migration.checksum, index, statement, patience, name }
      await runStep(step).catch((error) => {
        if (!isOfStatement(error)) throw error
        throw new Error(`Migration ${name}: ${error.message}`, { cause: error })
      })
    }
  } finally {
    keeper.off('end', stop)
  }
  await limitWaits(keeper, patience)
  await keeper.query('drop table migration_progress')
}

interface Step {
  worker: pg.Client
  checksum: string
  index: number
  statement: Statement
  patience: Patience
  /** The file and the line, for messages. */
  name: string
}

/** A long statement ends soon when this process dies. Not every system can notice that. */
async function endOrphans(worker: pg.Client): Promise<void> {
  await worker.query(`set client_connection_check_interval = '1s'`).catch(() => {})
}

async function runStep(step: Step): Promise<void> {
  const { worker, statement, patience, name } = step
  const { isDone } = await readProgress(step)
  if (isDone) return
  if (statement.kind === 'build') return buildIndex(step)
  if (statement.kind === 'drop') return void (await worker.query(statement.text))
  let isOver = false
  while (!isOver) {
    const begun = performance.now()
    isOver = await repeatWhileLocked(
      worker,
      () => name,
      patience,
      () => runPart(step),
    )
    // Half of the time belongs to the others.
    if (!isOver) await sleep(performance.now() - begun)
  }
}

/** Runs a statement, or one batch of it, in a transaction. Returns whether the statement is done. */
async function runPart(step: Step): Promise<boolean> {
  const { worker, statement, patience } = step
  await worker.query('begin')
  try {
    await limitWaits(worker, patience)
    const place = statement.kind === 'batches' ? await runBatch(step) : undefined
    if (statement.kind === 'once') await worker.query(statement.text)
    await noteProgress(step, place)
    await worker.query('commit')
    return place === undefined
  } catch (error) {
    await worker.query('rollback').catch(() => {})
    throw error
  }
}

/** The place where the batch ended: the first column of its only row; undefined for no row. */
async function runBatch(step: Step): Promise<string | undefined> {
  const { place } = await readProgress(step)
  const { rows } = await step.worker.query({
    text: step.statement.text,
    values: [place ?? null],
    rowMode: 'array',
  })
  if (rows.length > 1) throw new Error(`Migration ${step.name}: a batch returns one row at most.`)
  const [row] = rows
  if (row && (row[0] === null || row[0] === undefined)) {
    throw new Error(`Migration ${step.name}: a batch returns its place, and null is none.`)
  }
  if (!row) return undefined
  const [ended] = row
  return typeof ended === 'object' ? JSON.stringify(ended) : String(ended)
}

async function readProgress({ worker, checksum, index }: Step) {
  const { rows } = await worker.query<{ place: string | null; isDone: boolean }>(
    `select place, is_done as "isDone" from migration_progress
     where checksum = $1 and statement = $2`,
    [checksum, index],
  )
  return { place: rows[0]?.place ?? undefined, isDone: rows[0]?.isDone ?? false }
}

async function noteProgress({ worker, checksum, index }: Step, place?: string): Promise<void> {
  await worker.query(
    `insert into migration_progress (checksum, statement, place, is_done) values ($1, $2, $3, $4)
     on conflict (checksum, statement)
     do update set place = excluded.place, is_done = excluded.is_done`,
    [checksum, index, place ?? null, place === undefined],
  )
}

/**
 * Building waits for all older transactions without blocking anyone, so that wait has no limit. An
 * index that is there and valid was built by hand, or by a run that died before it noted so.
 */
async function buildIndex({ worker, statement }: Step): Promise<void> {
  const { rows } = await worker.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [statement.index],
  )
  if (rows[0]?.valid) return
  if (rows[0]) await worker.query(`drop index concurrently if exists ${statement.index}`)
  await worker.query(statement.text)
}
