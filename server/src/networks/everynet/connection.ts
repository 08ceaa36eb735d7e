import { bindCalls } from '../bind-calls.ts'
import { NetworkError } from '../network-error.ts'
import { isMissing, RefusedCall } from '../rest.ts'
import { call, claimDownlink, openSession, type Session } from './client.ts'
import { addDevice, listDevices, removeDevice } from './devices.ts'

export const openConnection = bindCalls(openSession, {
  check: checkAccess,
  addDevice,
  removeDevice,
  listDevices,
  async queueDownlink(session, { devEui }) {
    await claimDownlink(session, devEui)
    return undefined
  },
})

/** Checks the access token and the connection; the error says which account field is wrong. */
async function checkAccess(session: Session): Promise<void> {
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
    // A key may lack the right to see connections, but needs the right to see devices.
    await call(session, { method: 'GET', path: '/devices', query: { offset: 0, limit: 1 } })
  }
}
