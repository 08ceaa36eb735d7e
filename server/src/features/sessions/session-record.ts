import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { isoTime } from '../../http/timestamps.ts'
import type { SessionRow } from './session-queries.ts'

/** A login of the user, whose token holds or can still be exchanged. */
export const sessionRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        created_at: z.string(),
        last_used_at: z.string(),
        address: z.string().nullable(),
        user_agent: z.string().nullable(),
        current: z.boolean(),
      },
      {
        id: 12,
        created_at: '2026-03-01T12:00:00.000000Z',
        last_used_at: '2026-03-01T12:31:00.000000Z',
        address: '192.0.2.17',
        user_agent: 'Mozilla/5.0',
        current: true,
      },
    ),
  )
  .meta({ id: 'Session' })

export function toSessionRecord(session: SessionRow, currentId: number) {
  return {
    id: session.id,
    created_at: isoTime(session.created_at),
    last_used_at: isoTime(session.last_used_at),
    address: session.address,
    user_agent: session.user_agent,
    current: session.id === currentId,
  }
}
