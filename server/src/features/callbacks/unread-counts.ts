import type { Queryable } from '../../db/connect.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import type { UnreadMember } from '../../networks/unread.ts'

/** Counts the members of messages that were left out, by account and member. */
export interface UnreadCounts {
  add(accountId: number, unread: readonly UnreadMember[]): void
  /** Stores what is not stored yet. */
  close(): Promise<void>
}

/** How often a member was left out, and what was there at last. */
interface Count {
  count: number
  example: string
  last_at: string
}

/** By member. */
export type UnreadMembers = Record<string, Count>

/** In milliseconds. Every message of an account may lack the same. */
const interval = 1000

interface Dependencies {
  ingestDb: Queryable
  log: { warn(fields: object, message: string): void }
  now(): Date
}

export function createUnreadCounts({ ingestDb, log, now }: Dependencies): UnreadCounts {
  let counts = new Map<number, UnreadMembers>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  async function write() {
    const taken = counts
    counts = new Map()
    for (const [account, members] of taken) {
      await addUnread(ingestDb, account, members).catch((err) =>
        log.warn({ account, err }, 'unread members were not counted'),
      )
    }
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }

  return {
    add(accountId, unread) {
      const members = counts.get(accountId) ?? {}
      const last_at = isoTimeOf(now())
      // A message counts once, however often it has the member.
      for (const [member, example] of new Map(unread.map((one) => [one.member, one.example]))) {
        members[member] = { count: (members[member]?.count ?? 0) + 1, example, last_at }
      }
      counts.set(accountId, members)
      timer ??= setTimeout(flush, interval).unref()
    },
    close: flush,
  }
}

async function addUnread(db: Queryable, accountId: number, members: UnreadMembers): Promise<void> {
  await db.query(
    `update network_accounts as accounts
     set unread_members = accounts.unread_members || (
       select jsonb_object_agg(given.member, given.added || jsonb_build_object('count',
         coalesce((accounts.unread_members -> given.member ->> 'count')::bigint, 0)
           + (given.added ->> 'count')::bigint))
       from jsonb_each($2::jsonb) as given (member, added)
     )
     where id = $1`,
    [accountId, JSON.stringify(members)],
  )
}
