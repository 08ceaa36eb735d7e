import type { Database } from '../../db/connect.ts'
import {
  listMachines,
  listNeglected,
  type Machine,
  readServer,
  readSettings,
  type ServerState,
} from './doctor-queries.ts'
import { type Finding, ok, problem, reasonOf, sizeOf, warning } from './finding.ts'

/** What must be on, so that an uplink that was answered 2xx survives a crash. */
const promises = ['fsync', 'full_page_writes', 'synchronous_commit']
const needed = [...promises, 'autovacuum', 'track_counts']
const fullPart = 0.9
const longTransaction = 3600
/** Autovacuum begins to freeze at 200 million; PostgreSQL refuses to write at some 2,000 million. */
const oldAge = 1_000_000_000
const endingAge = 1_700_000_000
const muchLog = 5e9
const neglected = { rows: 100_000, part: 0.5 }
/** Milliseconds. */
const smallDrift = 2000
const largeDrift = 30_000

/** How the PostgreSQL is, which may be of another operator. */
export async function checkDatabase(db: Database): Promise<Finding[]> {
  // The first statement opens the connection: its time says nothing about the clock.
  await db.query('select 1')
  const before = Date.now()
  const server = await readServer(db)
  const drift = server.time - (before + Date.now()) / 2
  const settings = await readSettings(db, needed)
  return [
    ok(
      'database.server',
      `PostgreSQL ${server.version} answers; the database has ${sizeOf(server.size)}.`,
    ),
    checkRole(server),
    checkConnections(server),
    checkPromises(settings),
    ...(await checkMachines(db)),
    await checkVacuum(db, server, settings),
    checkTransactions(server),
    checkDrift(drift),
  ]
}

function checkRole({ is_standby, encoding }: ServerState): Finding {
  if (is_standby) {
    return problem(
      'database.role',
      'The database is a standby, which can only be read.',
      'Let DATABASE_URL name the primary, or promote this server.',
    )
  }
  if (encoding === 'UTF8')
    return ok('database.role', 'It can be written, and its encoding is UTF8.')
  return problem(
    'database.role',
    `Its encoding is ${encoding}.`,
    'Create a database with the encoding UTF8, and move by a backup and a restore.',
  )
}

function checkConnections({
  used_connections: used,
  most_connections: most,
}: ServerState): Finding {
  const says = `${used} of ${most} connections are in use.`
  if (used < most * fullPart) return ok('database.connections', says)
  return warning(
    'database.connections',
    says,
    'Raise max_connections of PostgreSQL, or lower DATABASE_CONNECTIONS of the service.',
  )
}

function checkPromises(settings: Map<string, string>): Finding {
  const off = promises.filter((name) => settings.get(name) === 'off')
  if (off.length === 0) return ok('database.durability', 'What is committed survives a power cut.')
  return problem(
    'database.durability',
    `${areOff(off)}: a crash loses uplinks that networks think are stored.`,
    `Set ${off.map((name) => `${name} = on`).join(', ')} in postgresql.conf, and reload it.`,
  )
}

function areOff(settings: readonly string[]): string {
  return `${settings.join(' and ')} of PostgreSQL ${settings.length === 1 ? 'is' : 'are'} off`
}

const awayAdvice = 'Start what is away, or let its standby take its place (docs/scaling.md).'

/** What is committed on a worker of Citus is as safe as its own settings make it. */
async function checkMachines(db: Database): Promise<Finding[]> {
  const check = 'database.machines'
  let machines: Machine[]
  try {
    machines = await listMachines(db, promises)
  } catch (error) {
    // A machine that is silent with its connections open holds up the answer of all.
    const says = `Not all machines of Citus answer: ${reasonOf(error)}.`
    return [problem(check, says, awayAdvice)]
  }
  if (machines.length === 0) return []
  const faults = machines.flatMap(({ name, fault, off }) => {
    if (fault !== null) return [`${name} does not answer: ${reasonOf(fault)}`]
    return off.length > 0 ? [`On ${name} ${areOff(off)}`] : []
  })
  if (faults.length === 0) {
    return [
      ok(check, `All ${machines.length} machines of Citus answer, and keep what is committed.`),
    ]
  }
  const advice = [
    ...(machines.some(({ fault }) => fault !== null) ? [awayAdvice] : []),
    ...(machines.some(({ off }) => off.length > 0)
      ? ['Set what is off to on, and reload it.']
      : []),
  ]
  return [problem(check, `${faults.join('. ')}.`, advice.join(' '))]
}

async function checkVacuum(
  db: Database,
  { age }: ServerState,
  settings: Map<string, string>,
): Promise<Finding> {
  const check = 'database.vacuum'
  const off = ['autovacuum', 'track_counts'].filter((name) => settings.get(name) === 'off')
  if (off.length > 0) {
    const says = `${areOff(off)}: the database grows and gets slower.`
    return problem(check, says, `Set ${off.map((name) => `${name} = on`).join(', ')}.`)
  }
  if (age > oldAge) {
    const says = `The oldest row is ${Math.round(age / 1e6)} million transactions old; PostgreSQL stops writing at some 2,000 million.`
    const advice =
      'Run "vacuum freeze", and find what holds autovacuum back, such as an old transaction.'
    return age > endingAge ? problem(check, says, advice) : warning(check, says, advice)
  }
  const tables = await listNeglected(db, neglected)
  if (tables.length === 0) return ok(check, 'Autovacuum keeps up.')
  const names = tables.map(({ name, dead }) => `${name} (${dead.toLocaleString('en-US')})`)
  return warning(
    check,
    `Autovacuum does not keep up: dead rows in ${names.join(', ')}.`,
    'Look for transactions that stay open, or lower autovacuum_vacuum_cost_delay.',
  )
}

function checkTransactions({ longest_transaction: seconds, kept_log: kept }: ServerState): Finding {
  const check = 'database.transactions'
  if (kept > muchLog) {
    return warning(
      check,
      `A replication slot that nobody uses keeps ${sizeOf(kept)} of write-ahead log.`,
      'Drop the slot (pg_drop_replication_slot), or start its follower again.',
    )
  }
  if (seconds < longTransaction) return ok(check, 'No transaction stays open for long.')
  return warning(
    check,
    `A transaction has been open for ${Math.round(seconds / 3600)} h: storing gets slower until it ends.`,
    'Find it in pg_stat_activity by xact_start, and end the program that holds it.',
  )
}

/** `drift` in milliseconds, positive where the database is ahead. */
function checkDrift(drift: number): Finding {
  const check = 'clock.database'
  const size = Math.abs(drift)
  const seconds = (size / 1000).toFixed(size < 10_000 ? 1 : 0)
  if (size < smallDrift) return ok(check, 'The clocks of this machine and of the database agree.')
  const says = `The clock of the database is ${seconds} s ${drift > 0 ? 'ahead of' : 'behind'} this machine.`
  const advice = 'Let both machines take the time from NTP, as by chrony or systemd-timesyncd.'
  return size < largeDrift ? warning(check, says, advice) : problem(check, says, advice)
}
