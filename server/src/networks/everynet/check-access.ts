import { NetworkError } from '../network.ts'
import { RefusedCall } from '../rest.ts'
import { call, isMissing, type Session } from './client.ts'

/** Proves the access token and the connection; the error says which account field is wrong. */
export async function checkAccess(session: Session): Promise<void> {
  const { connectionId } = session.account
  try {
    await call(session, { method: 'GET', path: `/connections/${connectionId}` })
  } catch (error) {
    if (isMissing(error)) {
      throw new NetworkError(
        'refused',
        `Everynet has no connection ${connectionId} (connection_id) that the access token may see.`,
      )
    }
    if (!(error instanceof RefusedCall) || error.status !== 403) throw error
    // A key may have no right to see connections: it needs that to see devices.
    await call(session, { method: 'GET', path: '/devices', query: { offset: 0, limit: 1 } })
  }
}
