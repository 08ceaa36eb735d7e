import type { Queryable } from '../../db/connect.ts'
import { formFor } from '../../db/distribution/form-for.ts'

/** One row of what PostgreSQL says of itself. */
export interface ServerState {
  version: string
  encoding: string
  size: number
  most_connections: number
  used_connections: number
  is_standby: boolean
  /** Milliseconds since 1970, by the clock of the database. */
  time: number
  /** Transactions since the oldest row that is not frozen; at two thousand million writing ends. */
  age: number
  /** Seconds of the longest transaction that is open. */
  longest_transaction: number
  /** Bytes of write-ahead log that unused replication slots keep. */
  kept_log: number
}

export async function readServer(db: Queryable): Promise<ServerState> {
  const [row] = await db.query<ServerState>(
    `select current_setting('server_version') as version,
       current_setting('server_encoding') as encoding,
       pg_database_size(current_database()) as size,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         as most_connections,
       (select count(*) from pg_stat_activity where backend_type = 'client backend')
         as used_connections,
       pg_is_in_recovery() as is_standby,
       floor(extract(epoch from clock_timestamp()) * 1000)::bigint as time,
       (select age(datfrozenxid)::bigint from pg_database where datname = current_database()) as age,
       coalesce((
         select floor(extract(epoch from max(clock_timestamp() - xact_start)))::bigint
         from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend'
       ), 0) as longest_transaction,
       case when pg_is_in_recovery() then 0 else coalesce((
         select max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn))::bigint
         from pg_replication_slots where not active
       ), 0) end as kept_log`,
  )
  if (!row) throw new Error('PostgreSQL says nothing of itself.')
  return row
}

/** Settings of PostgreSQL by name. */
export async function readSettings(
  db: Queryable,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1::text[])',
    [names],
  )
  return new Map(rows.map(({ name, setting }) => [name, setting]))
}

/** A machine of Citus. */
export interface Machine {
  name: string
  /** Why it does not answer; `off` is then empty. */
  fault: string | null
  /** Which of the settings are off. */
  off: string[]
}

/** All machines of Citus, the coordinator first. None on one PostgreSQL. */
export async function listMachines(db: Queryable, settings: readonly string[]): Promise<Machine[]> {
  const ask = await formFor(db, { whole: undefined, spread: askMachines })
  return ask ? ask(db, settings) : []
}

function askMachines(db: Queryable, settings: readonly string[]): Promise<Machine[]> {
  return db.query<Machine>(
    `select nodename || ':' || nodeport as name, case when not success then result end as fault,
       case when success then string_to_array(result, ' ') else '{}' end as off
     from run_command_on_all_nodes(format(
       $$select coalesce(string_agg(name, ' ' order by name), '') from pg_settings
         where setting = 'off' and name = any(%L::text[])$$, $1::text[]
     )) as answers
     join pg_dist_node using (nodeid)
     order by groupid, name`,
    [settings],
  )
}

/** The tables with the most dead rows: those that autovacuum has left behind. */
export function listNeglected(
  db: Queryable,
  least: { rows: number; part: number },
): Promise<{ name: string; dead: number; live: number }[]> {
  return db.query(
    `select relname as name, n_dead_tup as dead, n_live_tup as live
     from pg_stat_user_tables
     where n_dead_tup > $1 and n_dead_tup > n_live_tup * $2::float8
     order by n_dead_tup desc limit 5`,
    [least.rows, least.part],
  )
}

/** Processes of the service that live. */
export async function countProcesses(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from processes where alive_until > clock_timestamp()',
  )
  return row?.count ?? 0
}

/** An account, as far as its state shows how it is reached. */
export interface DoctorAccount {
  id: number
  network: string
  register_method: string
  organization_id: number
  uuid: string
  account_fields: Record<string, string>
  status: string
  status_message: string
  callback_message: string
  broker_message: string | null
  sealed_callback_secret: Buffer
  heard_at: string | null
}

/** Accounts of all organizations: those first that are not connected. */
export function listAccounts(db: Queryable, most: number): Promise<DoctorAccount[]> {
  return db.query(
    `select id, network, register_method, organization_id, uuid, account_fields, status,
       status_message, callback_message, broker_message, sealed_callback_secret,
       greatest(callback_heard_at, broker_heard_at) as heard_at
     from network_accounts
     order by status = 'connected', callback_message = '', id limit $1`,
    [most],
  )
}

/** Browsers that push messages go to, the latest first. */
export function listBrowsers(
  db: Queryable,
  most: number,
): Promise<{ id: number; sealed_subscription: Buffer }[]> {
  return db.query(
    'select id, sealed_subscription from push_subscriptions order by id desc limit $1',
    [most],
  )
}
