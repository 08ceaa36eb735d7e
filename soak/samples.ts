import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '../server/src/db/connect.ts'
import { type Part, startPart } from './part.ts'
import { dayNow, type World } from './world.ts'

/** What the service and its database take, once a day. */
export interface Sample {
  day: number
  /** In the order in which they started; empty where there is no /proc. */
  processes: { memory: number; files: number }[]
  connections: number
  /** In bytes. */
  database: number
  log: number
  tables: Map<string, { rows: number; bytes: number }>
  /** The last comparison with the network, and how many differences are open. */
  compared: { at: string | null; differences: number }
}

export function startSampling(world: World): Part & { samples: Sample[] } {
  const db = connect(world.database.url, { max: 1, statementTimeout: 60_000 })
  const samples: Sample[] = []
  const sampleDays = async (isOver: () => boolean) => {
    for (let day = 1; !isOver(); ) {
      if (dayNow(world) >= day && world.service.isUp) {
        samples.push(await takeSample(world, db))
        day = Math.floor(dayNow(world)) + 1
      }
      await sleep(100)
    }
  }
  return { ...startPart((isOver) => sampleDays(isOver).finally(() => db.close())), samples }
}

async function takeSample(world: World, db: Database): Promise<Sample> {
  const [sizes] = await db.query<{ connections: number; database: number; log: number }>(
    `select (select count(*) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()
           and backend_type = 'client backend')::int as connections,
       pg_database_size(current_database()) as database,
       (select sum(size) from pg_ls_waldir())::bigint as log`,
  )
  const tables = await db.query<{ name: string; rows: number; bytes: number }>(
    `select relname as name, n_live_tup as rows, pg_total_relation_size(relid) as bytes
     from pg_stat_user_tables where schemaname = 'public'`,
  )
  const [compared] = await db.query<Sample['compared']>(
    `select (select max(compared_at)::text from reconciliations) as at,
       (select count(*) from reconciliation_differences)::int as differences`,
  )
  return {
    day: dayNow(world),
    processes: world.service.pids().flatMap(readProcess),
    ...{ connections: sizes?.connections ?? 0, database: sizes?.database ?? 0 },
    log: sizes?.log ?? 0,
    tables: new Map(tables.map(({ name, rows, bytes }) => [name, { rows, bytes }])),
    compared: compared ?? { at: null, differences: 0 },
  }
}

function readProcess(pid: number): Sample['processes'] {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return [{ memory: Number(kilobytes) * 1024, files: readdirSync(`/proc/${pid}/fd`).length }]
  } catch {
    return []
  }
}
