import { NetworkError } from '../network.ts'
import { isAboutMissing, readApplication, type Session } from './client.ts'

/** Proves the API key and the ids; the error says which account field is wrong. */
export async function checkAccess(session: Session): Promise<void> {
  await readApplication(session)
  const { networkId } = session.account
  if (!networkId) return
  try {
    await session.client.call({ method: 'GET', path: `/1/nwk/network/${networkId}` })
  } catch (error) {
    if (!isAboutMissing(error)) throw error
    throw new NetworkError(
      'refused',
      `LORIOT has no network ${networkId} (network_id) that the API key may see.`,
    )
  }
}
