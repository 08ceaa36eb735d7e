import { z } from 'zod'
import { unauthenticated } from '../../http/errors.ts'
import { momentOf } from '../../http/timestamps.ts'
import { openEndpoint } from '../core-services.ts'
import { listOfUser } from './invitation-queries.ts'
import { receivedInvitation, toReceived } from './invitation-record.ts'

/** More than a tenant may send. Further ones follow when these are answered. */
const most = 1000

export const listReceivedInvitations = openEndpoint({
  summary: 'The invitations that wait for the user',
  description:
    'Whoever is logged in under the e-mail address may answer them. An invitation expires after 14 days, and ends with the right of who has sent it.',
  answer: z.object({ data: z.array(receivedInvitation) }),
  async handle({ session }, { db, now }) {
    if (!session) throw unauthenticated()
    const invitations = await listOfUser(db, session.userId, { now: momentOf(now()), most })
    return { data: invitations.map(toReceived) }
  },
})
