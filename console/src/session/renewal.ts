import { call } from '../api/client.ts'
import { keepSession, type Session } from './known-session.ts'

/** A session lasts 30 days from its last renewal; it is renewed once a day. */
const longest = 29 * 24 * 3600_000

/** The end that no renewal has moved: 90 days after the login. */
let finalEnd: string | undefined

/** Renews the session if that was a day ago. One tab does it: the others get the new cookie too. */
export async function renewIfOld(session: Session): Promise<Session> {
  const left = Date.parse(session.expires_at) - Date.now()
  if (left > longest || session.expires_at === finalEnd) return session
  const renew = () => exchangeToken(session)
  // Without TLS only localhost has locks. Two renewals at a time are safe, one of them is refused.
  if (!navigator.locks) return renew()
  return navigator.locks.request('session-renewal', { ifAvailable: true }, (lock) =>
    lock ? renew() : session,
  )
}

async function exchangeToken(session: Session): Promise<Session> {
  try {
    const { data } = await call('PUT /auth/session', {}, { isAnonymous: true })
    if (data.expires_at === session.expires_at) finalEnd = data.expires_at
    keepSession(data)
    return data
  } catch {
    // The old session still holds, or the next request finds that it does not.
    return session
  }
}
