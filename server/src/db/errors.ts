import pg from 'pg'
import { nameOfDatabase, splitHosts } from './addresses.ts'
import { SetupError } from './setup-error.ts'

/**
 * The database can't be reached, is starting up or shutting down, or has no free connection. The
 * statement itself is fine and may succeed later. After COMMIT was sent it is unknown whether the
 * transaction was committed (see `transaction`). The driver's error is the `cause`.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'

  constructor(reason: string, options?: ErrorOptions) {
    super(`The database is unavailable: ${reason}.`, options)
  }
}

/**
 * Temporary SQLSTATEs (PostgreSQL manual, appendix A): 08 connection exceptions; 53 insufficient
 * resources (too many connections, disk full, out of memory); 57P01 to 57P05 shutdown, crash,
 * starting up, database dropped, idle session ended; 25P03 idle in transaction for too long, which
 * also ends the connection; 25006 read-only, as a standby is and a primary before a switchover. 2201B is a
 * regular expression that can't be compiled: all of ours can, if there is memory. CIINF is of Citus: rows
 * moved between two parts of a statement (error_codes.h).
 */
const unavailableState = /^(08|53)...$|^57P0.$|^25P03$|^25006$|^2201B$|^CIINF$/

/** SQLSTATE 58P01 also means a file that is missing, which does not come back. */
const unloadedLibrary = /^could not load library .*(map segment|allocate memory)/

/** Errors of the driver without a code (pg lib/client.js, pg-pool index.js). */
const unavailableMessage =
  /^(Connection terminated|timeout e|Query read timeout|Client (has encountered|was closed)|Cannot use a pool)/

/**
 * What Citus tells without a SQLSTATE: a machine was lost during a transaction, a statement was planned just
 * before its rows moved, or a disk is full (remote_transaction.c, metadata_cache.c, transmit.c, libpq).
 */
const unavailableMachine =
  /^(failure on connection marked as essential|failed to prepare transaction|could not find valid entry for shard|cannot connect to \S+ to fetch|postmaster was shut down|terminating connection|server closed the connection|no connection to the server)|: No space left on device$/

const networkCalls = new Set(['connect', 'read', 'write', 'shutdown', 'getaddrinfo'])

/** A DatabaseUnavailable when `error` means a lost or refused connection; otherwise `error`. */
export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || !isUnavailable(error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  return new DatabaseUnavailable((error.message || 'no connection') + code, { cause: error })
}

function isUnavailable(error: Error): boolean {
  if (error instanceof pg.DatabaseError) {
    if (error.code === 'XX000') return unavailableMachine.test(error.message)
    if (error.code === '58P01') return unloadedLibrary.test(error.message)
    return unavailableState.test(error.code ?? '')
  }
  // Several addresses were tried (localhost as ::1 and as 127.0.0.1), and all refused.
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  if ('syscall' in error && typeof error.syscall === 'string') {
    return networkCalls.has(error.syscall)
  }
  return unavailableMessage.test(error.message)
}

/** Whether a connection was given up because the server had not answered in time. */
export function isSilence(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable &&
    error.cause instanceof Error &&
    error.cause.message === 'Query read timeout'
  )
}

/** The SQLSTATE with which the server refused, if it did. */
function stateOf(error: unknown): string | undefined {
  const first = error instanceof DatabaseUnavailable ? error.cause : error
  return first instanceof pg.DatabaseError ? first.code : undefined
}

/** SQLSTATEs of a database that reads and does not write (PostgreSQL manual, appendix A). */
const refusedWrites: Record<string, string> = {
  '53100': 'The disk of the database is full.',
  '25006': 'The database is read-only.',
}

/** Why the database takes no writes now, when `error` says so. */
export function refusedWrite(error: unknown): string | undefined {
  return refusedWrites[stateOf(error) ?? '']
}

/** Whether the server had no connection to spare. */
export function isFull(error: unknown): boolean {
  return stateOf(error) === '53300'
}

/** Whether the server only reads, as a standby does. */
export function isReadOnly(error: unknown): boolean {
  return stateOf(error) === '25006'
}

/** Whether a statement was refused because an earlier one of its transaction had failed. */
export function isAborted(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02'
}

/** Whether `error` is a violation (SQLSTATE 23514) of this check. */
export function isCheckViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === '23514' && error.constraint === constraint
  )
}

/**
 * Whether a statement failed because of the values of one row, so that the other rows can be stored
 * without it: SQLSTATE classes 22, data exception; 23, integrity constraint violation; 54, program
 * limit exceeded (a text too long for an index page, JSON nested too deep).
 */
export function isFaultOfTheRow(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^(22|23|54)/.test(error.code ?? '')
}

/** Whether a statement was cancelled by its `statement_timeout` (57014). */
export function isTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014'
}

/**
 * Whether a prepared statement would return other columns than before, because another process has
 * migrated the database. PostgreSQL refuses it before it runs ("cached plan must not change result
 * type", plancache.c).
 */
export function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery'
}

/** Whether a statement lost against others: 40001 serialization failure, 40P01 deadlock. */
export function hasLost(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^40(001|P01)$/.test(error.code ?? '')
}

/** Whether the whole work may succeed when it is repeated in a moment. 55P03: lock not available. */
export function isPassing(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable || isStalePlan(error)) return true
  if (hasLost(error) || isTimeout(error)) return true
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

/** SQLSTATEs of refused connections, and what to do (PostgreSQL manual, appendix A). */
const states: Record<string, (url: URL) => string> = {
  '28P01': ({ username }) => `the password of the user "${username}" is wrong`,
  '28000': ({ username }) =>
    `the user "${username}" is not let in: see its name and pg_hba.conf, or add ?sslmode=require` +
    ' where the server asks for TLS',
  '3D000': ({ pathname }) =>
    `there is no database "${pathname.slice(1)}": make it, or name another`,
  '42501': ({ username }) =>
    `the user "${username}" may not make tables there: let it own the database`,
  '53300': () => 'the server has no connection to spare: raise its max_connections',
}

/** Failures of TLS: codes of OpenSSL and Node, and words of the driver. */
const tlsCode = /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|EPROTO/
const tlsWords = /SSL|TLS|certificate/

/**
 * Turns an error of the database that DATABASE_URL names into a SetupError that says what to change.
 * Returns other errors as they are. The message contains no password.
 */
export function describeRefusal(error: unknown, databaseUrl: string): unknown {
  if (error instanceof SetupError || !(error instanceof Error)) return error
  const words = tellRefusal(error, new URL(splitHosts(databaseUrl)[0] ?? ''))
  if (words === undefined) return error
  return new SetupError(`DATABASE_URL (${nameOfDatabase(databaseUrl)}) can't be used: ${words}.`)
}

function tellRefusal(error: Error, url: URL): string | undefined {
  const { cause } = error
  const first = error instanceof DatabaseUnavailable && cause instanceof Error ? cause : error
  const code = 'code' in first && typeof first.code === 'string' ? first.code : ''
  if (first instanceof pg.DatabaseError) return states[code]?.(url)
  if (tlsCode.test(code) || tlsWords.test(first.message)) {
    return (
      `TLS fails (${first.message}). ?sslmode=disable turns it off,` +
      ' ?sslmode=verify-full&sslrootcert=FILE names the authority of its certificate'
    )
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    // With several servers it is the one that was tried last.
    return `there is no host "${'hostname' in first ? first.hostname : url.hostname}"`
  }
  if (!(error instanceof DatabaseUnavailable)) return undefined
  const why = first.message || code || 'no connection'
  return `nothing answers there (${why}): see that the server runs and can be reached`
}
