import { isIP } from 'node:net'

/** Where passkeys work: browsers bind each to a host, and use it only on pages of that host. */
export interface PasskeySite {
  /** The "relying party id" of WebAuthn. */
  host: string
  /** The only address whose pages may ask for a signature. */
  origin: string
}

/**
 * The site of PUBLIC_URL; undefined where browsers have no passkeys: over plain HTTP, but for localhost,
 * and at an IP address.
 */
export function findPasskeySite(publicUrl: string): PasskeySite | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  if (isAddress || (protocol !== 'https:' && !isLocal)) return undefined
  return { host: hostname, origin }
}
