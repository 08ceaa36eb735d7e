/** An address of PostgreSQL: what is before its hosts, its hosts, and what follows them. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/**
 * The addresses of the servers of one database, of which one takes writes: libpq's form
 * `postgres://user:password@one:5432,two:5432/name?target_session_attrs=read-write` (PostgreSQL manual,
 * "Specifying Multiple Hosts"). The driver knows only one host.
 */
export function splitHosts(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = parts.exec(url) ?? []
  if (!hosts.includes(',')) return [url]
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}

/** Where a database is, without user and password: `one:5432,two:5432/name`. */
export function nameOfDatabase(url: string): string {
  const urls = splitHosts(url).map((one) => new URL(one))
  return `${urls.map(({ host }) => host).join(',')}${urls[0]?.pathname ?? ''}`
}
