import { unauthenticated } from '../../http/errors.ts'
import { openEndpoint } from '../core-services.ts'
import { describeSession, sessionAnswer } from './session-record.ts'

export const showSession = openEndpoint({
  summary: 'Who is logged in, with which organizations and permissions, and until when',
  answer: sessionAnswer,
  async handle({ session }, services) {
    if (!session) throw unauthenticated()
    return describeSession(services, session)
  },
})
