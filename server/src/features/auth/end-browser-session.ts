import { unauthenticated } from '../../http/errors.ts'
import { momentOf } from '../../http/timestamps.ts'
import { openEndpoint } from '../core-services.ts'
import { endSessionByToken } from '../sessions/session-end-queries.ts'
import { hashToken } from '../sessions/sessions.ts'

export const endBrowserSession = openEndpoint({
  summary: 'Log the browser out: ends the session of its cookie, valid or not, and clears it',
  description: 'Needs `X-Requested-With: console`, and no `Authorization` header.',
  status: 204,
  failures: [401],
  async handle({ cookie, request: { clientIp } }, { db, log, now }) {
    if (!cookie.isFromConsole) throw unauthenticated()
    cookie.clear()
    if (cookie.token === undefined) return
    const userId = await endSessionByToken(db, hashToken(cookie.token), momentOf(now()))
    if (userId !== undefined) log.info({ event: 'logged_out', userId, clientIp }, 'security event')
  },
})
