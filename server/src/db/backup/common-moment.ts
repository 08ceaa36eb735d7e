import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { listSpreadTables, type SpreadTable } from '../distribution/spread-tables.ts'
import { inSession, quote } from './session.ts'

/**
 * Milliseconds that an attempt may wait for the writers. Shorter than the second after which PostgreSQL
 * looks for sessions that wait for each other: so it ends this attempt, and never a writer.
 */
const patience = 800

/** The most attempts, and the milliseconds between them. */
const [mostAttempts, pause] = [60, 1000]

const queryCanceled = '57014'

/**
 * Takes the snapshot of a transaction that has begun with `repeatable read` and has asked nothing yet. One
 * PostgreSQL takes it with the first statement. Machines of Citus have no common snapshot: each takes its
 * own when the transaction first reaches it. So writers wait, by a lock of the tables on the
 * coordinator that all statements go through, until the transaction has one connection to each machine
 * and a snapshot there. Then they go on; the snapshots last as long as the transaction.
 * @throws Error for a person to read, when writers leave no such moment for a minute.
 */
export async function takeSnapshot(url: string, client: pg.Client): Promise<void> {
  const tables = await inSession(url, 'begin', listSpreadTables)
  if (tables.length === 0) return
  // A second connection to a machine, or a look past the connections, would see a later moment.
  await client.query(
    `set local citus.max_adaptive_executor_pool_size to 1;
     set local citus.enable_local_execution to off`,
  )
  const oneOfEach = new Map(tables.map(({ group, name }) => [group, name])).values()
  const reach = [...oneOfEach].map((name) => `select from ${quote(name)} limit 1`)
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const isTaken = await whileWritersWait(url, tables, async () => {
      for (const statement of reach) await client.query(statement)
    })
    if (isTaken) return
    await sleep(pause)
  }
  throw new Error(
    'The tables of this Citus database were written all the time, or a transaction of another machine' +
      ' is not over: no common moment was found. Try again when less is going on.',
  )
}

/** Returns whether `work` was done: false when the writers left no moment for it. */
function whileWritersWait(
  url: string,
  tables: readonly SpreadTable[],
  work: () => Promise<void>,
): Promise<boolean> {
  const names = tables.map(({ name }) => quote(name)).join(', ')
  return inSession(url, 'begin', async (client) => {
    try {
      await client.query(`set local statement_timeout = ${patience}`)
      await client.query(`lock table ${names} in share mode`)
      if ((await countPrepared(client)) > 0) return false
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === queryCanceled) return false
      throw error
    }
    await work()
    return true
  })
}

/** Transactions that are over on the coordinator, and whose commit a machine has not carried out yet. */
async function countPrepared(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select coalesce(sum(result::integer), 0) as count from run_command_on_workers(
       'select count(*) from pg_prepared_xacts
        where database = current_database() and starts_with(gid, ''citus_'')'
     )`,
  )
  return Number(rows[0]?.count)
}
