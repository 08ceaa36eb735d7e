import { isIP } from 'node:net'

/** Where a service is reached that listens on the host and has no `PUBLIC_URL`. */
export function defaultPublicUrl(host: string, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere ? '127.0.0.1' : isIP(host) === 6 ? `[${host.replace(/%.*/, '')}]` : host
  return `http://${name}:${port}`
}

/** Paths are put after it, so it has no query, and it is in answers, so it names no user. */
export function isPublicUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || /[?#]/.test(text)) return false
  return url.username === '' && url.password === ''
}
