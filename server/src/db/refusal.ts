import pg from 'pg'
import { DatabaseUnavailable } from './errors.ts'
import { SetupError } from './setup-error.ts'

/** SQLSTATEs of a server that lets nobody in, and what to do (PostgreSQL manual, appendix A). */
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

/** What TLS fails with: codes of OpenSSL and Node, and words of the driver. */
const tlsCode = /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|EPROTO/
const tlsWords = /SSL|TLS|certificate/

/**
 * What a person has to mend, of an error that the database of the setting DATABASE_URL met a start
 * with; any other error as it is. The message names no password.
 */
export function describeRefusal(error: unknown, databaseUrl: string): unknown {
  if (error instanceof SetupError || !(error instanceof Error)) return error
  const url = new URL(databaseUrl)
  const words = tellRefusal(error, url)
  if (words === undefined) return error
  return new SetupError(`DATABASE_URL (${url.host}${url.pathname}) can't be used: ${words}.`)
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
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `there is no host "${url.hostname}"`
  if (!(error instanceof DatabaseUnavailable)) return undefined
  const why = first.message || code || 'no connection'
  return `nothing answers there (${why}): see that the server runs and can be reached`
}
