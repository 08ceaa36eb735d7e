import pg from 'pg'
import { nameOfDatabase, splitHosts } from '../../db/addresses.ts'
import { type Finding, ok, problem, reasonOf, sizeOf, warning } from './finding.ts'

const check = 'database.standbys'
const patience = 5000
const muchLag = 100e6

interface Server {
  name: string
  /** Why it does not answer; the others are then false. */
  fault?: string
  takesWrites: boolean
  /** It receives what its primary writes. */
  follows: boolean
  /** Up to where its rows are those of its write-ahead log, in bytes. */
  position: number
  /** When it was started: two addresses may lead to one server. */
  started: string
}

/** The servers that DATABASE_URL names, if they are several: one that takes writes, and its standbys. */
export async function checkStandbys(url: string): Promise<Finding[]> {
  const urls = splitHosts(url)
  if (urls.length === 1) return []
  const answers = await Promise.all(urls.map(askServer))
  const servers = answers.filter(({ started }, index) => {
    return started === '' || answers.findIndex((each) => each.started === started) === index
  })
  const silent = servers.filter(({ fault }) => fault !== undefined)
  const primaries = servers.filter(({ takesWrites }) => takesWrites)
  const standbys = servers.filter(({ takesWrites, fault }) => !takesWrites && fault === undefined)
  const [primary] = primaries
  if (primaries.length > 1) {
    return [
      problem(
        check,
        `${namesOf(primaries)} all take writes: what one of them stores, the others do not have.`,
        'Stop all but the primary at once, and let them follow it again (docs/high-availability.md).',
      ),
    ]
  }
  if (!primary) {
    const advice = 'Start the primary, or promote a standby.'
    return [problem(check, 'None of the servers in DATABASE_URL takes writes.', advice)]
  }
  if (silent.length > 0) {
    const faults = silent.map(({ name, fault }) => `${name} does not answer: ${fault}`)
    return [
      warning(
        check,
        `${faults.join('. ')}. So it cannot take over.`,
        'Start it, or name another standby in DATABASE_URL.',
      ),
    ]
  }
  if (standbys.length === 0) {
    const says = `All addresses in DATABASE_URL lead to one server, ${primary.name}.`
    return [warning(check, says, 'Name a standby as well.')]
  }
  return [findLag(primary, standbys)]
}

function findLag(primary: Server, standbys: readonly Server[]): Finding {
  const lost = standbys.find(({ follows }) => !follows)
  if (lost) {
    return warning(
      check,
      `${lost.name} receives nothing from a primary: what is stored now is lost if it takes over.`,
      'Look at its primary_conninfo and its log.',
    )
  }
  const lagOf = ({ position }: Server) => primary.position - position
  const slow = standbys.find((standby) => lagOf(standby) > muchLag)
  if (slow) {
    return warning(
      check,
      `${slow.name} is ${sizeOf(lagOf(slow))} behind ${primary.name}.`,
      'Look at its disk, and at the way between the two.',
    )
  }
  return ok(check, `${primary.name} takes writes, and ${namesOf(standbys)} can take over.`)
}

function namesOf(servers: readonly Server[]): string {
  return servers.map(({ name }) => name).join(' and ')
}

async function askServer(url: string): Promise<Server> {
  const name = nameOfDatabase(url).replace(/\/.*/, '')
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patience,
    query_timeout: patience,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(
      `select not pg_is_in_recovery() as "takesWrites",
         exists (select from pg_stat_wal_receiver) as follows,
         pg_wal_lsn_diff(
           case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end,
           '0/0'
         )::float8 as position, pg_postmaster_start_time()::text as started`,
    )
    return { name, ...rows[0] }
  } catch (error) {
    const nothing = { takesWrites: false, follows: false, position: 0, started: '' }
    return { name, fault: reasonOf(error), ...nothing }
  } finally {
    await client.end().catch(() => {})
  }
}
