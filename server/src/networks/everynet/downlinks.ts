// ns.docs.everynet.io, adapters/http2 and data API, downlink_claim.
import { NetworkError } from '../network.ts'
import type { Session } from './client.ts'

/**
 * Tells Everynet that a downlink waits, so that it asks for it at once. A device of class A needs
 * no claim: after each of its uplinks Everynet asks by itself. The answer is 202.
 */
export async function claimDownlink({ adapters, account }: Session, devEui: string): Promise<void> {
  if (!account.authorization) return
  try {
    await adapters.call({
      method: 'POST',
      path: `/http2/cb/${account.connectionId}`,
      headers: { authorization: account.authorization },
      body: { meta: { device: devEui.toLowerCase() }, type: 'downlink_claim' },
    })
  } catch (error) {
    // Whatever is wrong with the claim, the downlink is fetched after the next uplink.
    if (!(error instanceof NetworkError) || error.kind !== 'refused') throw error
  }
}
