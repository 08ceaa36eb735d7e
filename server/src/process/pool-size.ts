import type { Queryable } from '../db/connect.ts'
import { ConfigError } from '../db/setup-error.ts'

/** Most connections of one process. More gained nothing under any measured load. */
const mostOfProcess = 16
/** Fewest connections with which a process can store uplinks and answer requests. */
const leastOfProcess = 4
/** Connections left for a person at the database, and for a backup. */
const spare = 3

/** The connections that the database allows, and those in use. */
export interface Room {
  /** `max_connections`. */
  most: number
  /** Reserved for superusers and other roles. */
  reserved: number
  /** In use by others at this moment. */
  others: number
}

export async function findRoom(db: Queryable): Promise<Room> {
  const [room] = await db.query<Room>(
    `select current_setting('max_connections')::int as most,
       current_setting('superuser_reserved_connections')::int
         + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved,
       (select count(*)::int from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()) as others`,
  )
  if (!room) throw new Error('The database does not say how many connections it allows.')
  return room
}

/** What the settings say: the server processes, and the most connections of all together. */
interface Plan {
  workers: number
  databaseConnections?: number | undefined
}

/**
 * Connections of each process: the server processes, and the background work next to them. The service
 * does not know what other machines will open: DATABASE_CONNECTIONS gives each machine its part.
 * @throws ConfigError when there are too few; it says what to change.
 */
export function planPoolSize(
  { most, reserved, others }: Room,
  { workers, databaseConnections }: Plan,
): number {
  const processes = workers === 1 ? 2 : workers + 1
  const needed = processes * leastOfProcess
  if (databaseConnections !== undefined && databaseConnections < needed) {
    throw new ConfigError([
      `DATABASE_CONNECTIONS is ${databaseConnections}, and WORKERS ${workers} needs ${needed}: raise` +
        ' the one, or lower the other.',
    ])
  }
  const room = most - reserved - others - spare
  const free = Math.min(room, databaseConnections ?? room)
  const size = Math.min(mostOfProcess, Math.floor(free / processes))
  if (size >= leastOfProcess) return size
  const fitting = Math.floor(free / leastOfProcess) - 1
  const fewer =
    fitting >= 1 && fitting < workers ? `Set WORKERS to ${fitting} at most, or raise` : 'Raise'
  throw new ConfigError([
    `WORKERS is ${workers}, which needs ${needed} connections to the database, and ` +
      `${Math.max(0, free)} are free: max_connections is ${most}, ${reserved} of them reserved, ${others} ` +
      `used by others, ${spare} left free. ${fewer} max_connections of PostgreSQL.`,
  ])
}
