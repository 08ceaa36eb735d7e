import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import type { UnreadMembers } from '../callbacks/sender-queries.ts'

/** A member of the network's messages that is left out, as it is missing or cannot be used. */
export const unreadMember = z
  .object(
    withExamples(
      {
        member: z.string(),
        count: z.int().describe('The messages that had it so.'),
        last_example: z.string().describe('What was there; `undefined` where it was missing.'),
        last_at: z.string(),
      },
      {
        member: 'gatewayId',
        count: 12,
        last_example: '"aa77bb88"',
        last_at: '2026-03-01T11:59:07.912000Z',
      },
    ),
  )
  .meta({ id: 'UnreadMember' })

/** The most frequent first. */
export function toUnreadMembers(members: UnreadMembers): z.infer<typeof unreadMember>[] {
  return Object.entries(members)
    .map(([member, { count, example: last_example, last_at }]) => ({
      member,
      count,
      last_example,
      last_at,
    }))
    .sort((one, other) => other.count - one.count)
}
