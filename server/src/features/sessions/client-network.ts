import { isIPv4, isIPv6 } from 'node:net'

/**
 * What counts as one address: an IPv4 address, or the /64 of an IPv6 address, since that is the
 * least that a site gets (RFC 6177) and any address in it can be taken for the next request.
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

/** The 16-bit groups; a dotted end stands for two of them. */
function groupsOf(text: string): string[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
}
