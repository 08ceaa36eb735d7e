import { isLocal } from '../../networks/outside.ts'

/**
 * What the owner should know of a callback whose address is one of the local network, when the
 * account's network is none of it; empty otherwise.
 */
export function tellReach(callbackUrl: string, fields: Record<string, string>): string {
  // Nothing has to come in where the service fetches the messages.
  if (fields.mqtt_url) return ''
  const url = new URL(callbackUrl)
  if (!isLocal(url)) return ''
  const server = URL.parse(fields.server ?? fields.cluster ?? '')
  if (server && isLocal(server)) return ''
  return `The network cannot reach the callback: ${url.origin} is an address of the local network. Set PUBLIC_URL to one that it can reach.`
}
