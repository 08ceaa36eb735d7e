import type { FastifyBaseLogger } from 'fastify'
import type { Queryable } from '../../db/connect.ts'
import { endPause } from '../connections/pause-queries.ts'
import { setUplinkTime } from './sender-queries.ts'

/**
 * Records that messages came from the networks of accounts: a paused account is tried at once, and
 * the time of its last uplink is kept for each way.
 */
export interface HeardAccounts {
  note(accountId: number, way: 'callback' | 'broker', hasUplink: boolean): void
  close(): Promise<void>
}

/** Milliseconds in which the database is told once of each account: its messages may be many a second. */
const interval = 10_000

interface Dependencies {
  ingestDb: Queryable
  log: FastifyBaseLogger
  now(): Date
  /** Looks for work that is due. */
  wake(): void
}

export function createHeardAccounts({ ingestDb, log, now, wake }: Dependencies): HeardAccounts {
  const noted = {
    pause: new Map<number, number>(),
    callback: new Map<number, number>(),
    broker: new Map<number, number>(),
  }
  const writings = new Set<Promise<unknown>>()
  const write = (
    what: keyof typeof noted,
    accountId: number,
    act: (time: Date) => Promise<void>,
  ) => {
    const time = now()
    const last = noted[what].get(accountId)
    if (last !== undefined && time.getTime() - last < interval) return
    noted[what].set(accountId, time.getTime())
    const writing = act(time)
      .catch((err) => log.warn({ account: accountId, what, err }, 'sign of life'))
      .finally(() => writings.delete(writing))
    writings.add(writing)
  }
  return {
    note(accountId, way, hasUplink) {
      write('pause', accountId, async (time) => {
        if (await endPause(ingestDb, accountId, time)) wake()
      })
      if (!hasUplink) return
      write(way, accountId, (time) => setUplinkTime(ingestDb, accountId, way, time))
    },
    async close() {
      await Promise.all(writings)
    },
  }
}
