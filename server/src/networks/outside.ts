import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { NetworkError } from './network-error.ts'
import type { Pace } from './pace.ts'

/**
 * The outbound calls that an account may make. A tenant enters the address of a network, and must
 * not reach what only this machine can: its own ports, its neighbours, a cloud's metadata.
 */
export interface Outside {
  /** Throws `NetworkError` if the protocol or a literal address may not be called. */
  check(url: URL): void
  /**
   * Resolves a name once and returns only addresses that may be called, so that the connection is
   * made to the address that was checked.
   */
  lookup: LookupFunction
  /** The pace of one account; undefined if calls have no limit. */
  pace?: Pace
}

interface OutsidePolicy {
  /**
   * Whether addresses of the local network may be called, also without TLS. True for a service that
   * is itself at such an address.
   */
  allowsLocal: boolean
  /** Hosts, addresses and ranges (CIDR) that may always be called. */
  listed: readonly string[]
}

const secureProtocols = new Set(['https:', 'mqtts:', 'wss:'])

/** RFC 1918, RFC 4193, RFC 6598 (carrier-grade NAT) and the machine itself. */
const local = rangesOf([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
])

/**
 * Addresses that no network has: link-local, multicast, the IANA registries of special-purpose
 * addresses, and the metadata services of clouds that are not link-local (Alibaba's, and by IPv6
 * those of AWS and Google). The IPv6 forms that carry an IPv4 address (RFC 4291 section 2.5.5.1,
 * RFC 2765, 6to4, NAT64, Teredo) are on the list because they would bypass it.
 */
const forbidden = rangesOf([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '100.100.100.200/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  '::/96',
  '::ffff:0:0:0/96',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
])

export function createOutside({ allowsLocal, listed }: OutsidePolicy): Outside {
  const hosts = new Set(listed.filter((entry) => !isRange(entry)).map((host) => host.toLowerCase()))
  const ranges = rangesOf(listed.filter(isRange))
  const isAllowed = (host: string, address: string) => {
    if (hosts.has(host) || contains(ranges, address)) return true
    // In the range of the IPv4 forms, but not one of them.
    if (address !== '::1' && contains(forbidden, address)) return false
    return allowsLocal || !contains(local, address)
  }
  return {
    check(url) {
      const host = hostOf(url)
      const isAddress = isIP(host) !== 0
      if (isAddress && !isAllowed(host, host)) throw notAllowed(host)
      if (secureProtocols.has(url.protocol) || hosts.has(host)) return
      if (isAddress ? contains(ranges, host) : false) return
      if (!(allowsLocal && isLocal(url))) throw notSecure(url)
    },
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, [])
        const allowed = addresses.filter(({ address }) =>
          isAllowed(hostname.toLowerCase(), address),
        )
        const [first] = allowed
        if (!first) return callback(notAllowed(hostname), [])
        if (options.all) return callback(null, allowed)
        callback(null, first.address, first.family)
      })
    },
  }
}

/** Whether an address is of the local network, judged without resolving its name. */
export function isLocal(url: URL): boolean {
  const host = hostOf(url)
  return isIP(host) !== 0 ? contains(local, host) : !isPublicName(host)
}

/** Names with these endings are for local use, and so are all names without a dot. */
export const localNames = ['.local', '.localhost', '.internal', '.lan', '.home.arpa', '.test']

/** A name with a dot counts as one of the public DNS, unless its ending is for local use. */
function isPublicName(host: string): boolean {
  return host.includes('.') && !localNames.some((ending) => host.endsWith(ending))
}

/** Lower case, an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1')
}

/** An address, or a range of addresses (CIDR). */
export function isRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const longest = isIP(address) === 6 ? 128 : 32
  if (isIP(address) === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest)
}

function rangesOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

function notAllowed(host: string): NetworkError {
  return new NetworkError(
    'refused',
    `The address of ${host} may not be called: it is not a public one. The operator can allow it (OUTBOUND_ALLOW).`,
    { about: 'account' },
  )
}

function notSecure(url: URL): NetworkError {
  return new NetworkError(
    'refused',
    `${url.protocol}//${url.host} may not be called without TLS. The operator can allow it (OUTBOUND_ALLOW).`,
    { about: 'account' },
  )
}
