import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** The address that a request comes from. */
export type FindClientAddress = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string

/**
 * The address of the peer. Behind trusted proxies (addresses and ranges) it is the nearest address
 * in X-Forwarded-For that is no proxy. An entry that is no address counts as the proxy that passed
 * it on. `onUntrusted` receives the first untrusted address that sends the header.
 */
export function createFindClientAddress(
  trusted: readonly string[],
  onUntrusted: (address: string) => void,
): FindClientAddress {
  const proxies = rangesOf(trusted)
  let isTold = false
  return ({ socket, headers }) => {
    let address = plain(socket.remoteAddress ?? '')
    const header = headers['x-forwarded-for']
    if (header === undefined) return address
    const isTrusted = (one: string) => isIP(one) !== 0 && proxies.check(one, familyOf(one))
    if (!isTrusted(address) && !isTold) {
      isTold = true
      onUntrusted(address)
    }
    const entries = String(header).split(',')
    while (isTrusted(address)) {
      const entry = readEntry(entries.pop() ?? '')
      if (entry === undefined) return address
      address = entry
    }
    return address
  }
}

function rangesOf(trusted: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of trusted) {
    const [address = '', bits] = range.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/**
 * Accepts `192.0.2.1`, `192.0.2.1:8080`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:8080`, with
 * or without quotes.
 */
function readEntry(entry: string): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const inBrackets = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1]
  const withPort = /^([\d.]+):\d{1,5}$/.exec(text)?.[1]
  const address = plain(inBrackets ?? withPort ?? text)
  return isIP(address) === 0 ? undefined : address
}

/** Removes the zone, and writes a mapped IPv4 address as IPv4. */
function plain(address: string): string {
  const [bare = ''] = address.split('%', 1)
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address. A site
 * gets at least a /64 (RFC 6177) and can use any address in it.
 */
export function clientNetwork(ip: string): string {
  const [address = ''] = ip.split('%', 1)
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::', 2)
  const first = groupsOf(head)
  const last = tail === undefined ? [] : groupsOf(tail)
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  const groups = [...first, ...zeros, ...last].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** The 16-bit groups; a dotted end counts as two. */
function groupsOf(text: string): string[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}
