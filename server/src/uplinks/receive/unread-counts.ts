import type { Queryable } from '../../db/connect.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import type { UnreadMember } from '../../networks/network-message.ts'
import { addUnread, type UnreadMembers } from './sender-queries.ts'

/**
 * Counts the members of messages that were left out, by account and member. A gateway of kind `other`, whose
 * id is negative here, has no account: the log names its members.
 */
export interface UnreadCounts {
  add(accountId: number, unread: readonly UnreadMember[]): void
  /** The messages of which something was left out, since the start of the process. */
  messages(): { account: number; gateway: number }
  /** Stores what is not stored yet. */
  close(): Promise<void>
}

/** In milliseconds. Every message of an account may lack the same. */
const interval = 1000
/** In milliseconds: at most one line of the log for each gateway in this time. */
const lineInterval = 600_000

interface Dependencies {
  ingestDb: Queryable
  log: { warn(fields: object, message: string): void }
  now(): Date
}

export function createUnreadCounts({ ingestDb, log, now }: Dependencies): UnreadCounts {
  let counts = new Map<number, UnreadMembers>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  const messages = { account: 0, gateway: 0 }
  const told = new Map<number, number>()

  function tell(gateway: number, unread: UnreadMembers) {
    const time = now().getTime()
    if (time - (told.get(gateway) ?? 0) < lineInterval) return
    told.set(gateway, time)
    log.warn({ gateway, unread }, 'members of messages of a gateway were left out')
  }

  async function write() {
    const taken = counts
    counts = new Map()
    for (const [account, members] of taken) {
      if (account < 0) {
        tell(-account, members)
        continue
      }
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
      messages[accountId < 0 ? 'gateway' : 'account'] += 1
      const members = counts.get(accountId) ?? {}
      const last_at = isoTimeOf(now())
      // A message counts once, however often it has the member.
      for (const [member, example] of new Map(unread.map((one) => [one.member, one.example]))) {
        members[member] = { count: (members[member]?.count ?? 0) + 1, example, last_at }
      }
      counts.set(accountId, members)
      timer ??= setTimeout(flush, interval).unref()
    },
    messages: () => ({ ...messages }),
    close: flush,
  }
}
