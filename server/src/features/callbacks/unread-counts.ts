import type { Queryable } from '../../db/connect.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import type { UnreadMember } from '../../networks/unread.ts'
import { addUnread, type UnreadMembers } from './sender-queries.ts'

/** Counts the members of messages that were left out, by account and member. */
export interface UnreadCounts {
  add(accountId: number, unread: readonly UnreadMember[]): void
  /** Stores what is not stored yet. */
  close(): Promise<void>
}

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
