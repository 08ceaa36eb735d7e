import { connect } from '../src/db/connect.ts'
import { createFirstOrganization } from '../src/features/people/organizations/first-start.ts'
import { openSession } from '../src/features/people/sessions/sessions.ts'
import { findCredentials } from '../src/features/people/users/user-queries.ts'

/** The owner of organization 1, whom each service of the tests has when it starts. */
export const ownerEmail = 'owner@example.test'
export const ownerPassword = 'correct horse battery staple'
/** The time of a service whose clock no test sets. */
export const usualTime = new Date('2026-03-01T12:00:00.000Z')

/**
 * Leaves the database as the start of a service and a login of the owner do, and returns the token.
 * Services on clones save two hashes of the password, a third of the processor time of their start.
 */
export async function makeOwner(url: string): Promise<string> {
  const db = connect(url)
  try {
    const owner = { email: ownerEmail, password: ownerPassword }
    await createFirstOrganization({ db, now: () => usualTime }, owner)
    const user = await findCredentials(db, ownerEmail)
    const client = { clientIp: '127.0.0.1', userAgent: 'lightMyRequest' }
    const token = user && (await openSession(db, user, client, usualTime))
    if (token === undefined) throw new Error('The owner could not be made.')
    return token
  } finally {
    await db.close()
  }
}
