import { BlockList, isIP } from 'node:net'

/** Addresses and ranges (CIDR) from which an API key may be used. */

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** `192.0.2.0/24`, `192.0.2.7`, `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}

/** Whether one of the networks has the address. Without networks, any address may come. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true
  if (isIP(address) === 0) return false
  const list = new BlockList()
  for (const network of networks) {
    const [start = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(start, familyOf(start))
    else list.addSubnet(start, Number(bits), familyOf(start))
  }
  return list.check(address, familyOf(address))
}
