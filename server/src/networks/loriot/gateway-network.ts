// Networks of gateways: /1/nwk/networks. Their `_id` is a number; the paths have it in hexadecimal,
// upper case (loriot-migration-tool, src/loriot/networks.ts).
import { isObject } from '../message-fields.ts'
import { NetworkError } from '../network-error.ts'
import type { Session } from './client.ts'

/** The network that the account names, or else its only one. */
export async function readNetworkId(session: Session): Promise<string> {
  if (session.account.networkId) return session.account.networkId
  if (session.networkId) return session.networkId
  const query = { page: 1, perPage: 2 }
  const { body } = await session.client.call({ method: 'GET', path: '/1/nwk/networks', query })
  const networks = isObject(body) && Array.isArray(body.networks) ? body.networks : []
  const [only, ...others] = networks.flatMap((network) => idOf(network) ?? [])
  if (only === undefined || others.length > 0) {
    const reason = only === undefined ? 'has no network' : 'has several networks'
    throw new NetworkError(
      'refused',
      `The account at LORIOT ${reason}: enter the one of the gateways (network_id).`,
    )
  }
  session.networkId = only
  return only
}

function idOf(network: unknown): string | undefined {
  if (!isObject(network)) return undefined
  const { _id: id } = network
  if (typeof id === 'number') return id.toString(16).toUpperCase()
  return typeof id === 'string' && /^[0-9a-f]{1,16}$/i.test(id) ? id.toUpperCase() : undefined
}
