import type { FastifyBaseLogger } from 'fastify'
import type { Queryable } from '../../db/connect.ts'
import { endPause } from '../../features/accounts/connections/pause-queries.ts'
import { setUplinkTime } from './sender-queries.ts'
import { createUnreadCounts, type UnreadCounts } from './unread-counts.ts'

/**
 * Records that the network of an account has sent messages. A paused account is tried again at
 * once. The time of the last uplink is stored for callback and broker separately.
 */
export interface HeardAccounts {
  note(accountId: number, way: 'callback' | 'broker', hasUplink: boolean): void
  /** Counts what a stored message of the account had that could not be used. */
  noteUnread: UnreadCounts['add']
  /** The messages of which something was left out. */
  unreadMessages: UnreadCounts['messages']
  close(): Promise<void>
}

/**
 * In milliseconds. The database is updated at most once in this time for each account, which may
 * receive many messages per second.
 */
const interval = 10_000

interface Dependencies {
  ingestDb: Queryable
  log: FastifyBaseLogger
  now(): Date
  /** Starts the work that is due. */
  wake(): void
}

export function createHeardAccounts({ ingestDb, log, now, wake }: Dependencies): HeardAccounts {
  const noted = {
    pause: new Map<number, number>(),
    callback: new Map<number, number>(),
    broker: new Map<number, number>(),
  }
  const writings = new Set<Promise<unknown>>()
  const unread = createUnreadCounts({ ingestDb, log, now })
  const isDue = (what: keyof typeof noted, accountId: number, time: Date) => {
    const last = noted[what].get(accountId)
    return last === undefined || time.getTime() - last >= interval
  }
  const write = (
    what: keyof typeof noted,
    accountId: number,
    time: Date,
    act: () => Promise<void>,
  ) => {
    noted[what].set(accountId, time.getTime())
    const writing = act()
      .catch((err) => log.warn({ account: accountId, what, err }, 'sign of life'))
      .finally(() => writings.delete(writing))
    writings.add(writing)
  }
  return {
    note(accountId, way, hasUplink) {
      const time = now()
      if (isDue('pause', accountId, time)) {
        write('pause', accountId, time, async () => {
          if (await endPause(ingestDb, accountId, time)) wake()
        })
      }
      if (!hasUplink || !isDue(way, accountId, time)) return
      write(way, accountId, time, () => setUplinkTime(ingestDb, accountId, way, time))
    },
    noteUnread: unread.add,
    unreadMessages: unread.messages,
    async close() {
      await Promise.all([...writings, unread.close()])
    },
  }
}
