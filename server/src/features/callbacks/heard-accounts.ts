import type { FastifyBaseLogger } from 'fastify'
import type { Queryable } from '../../db/connect.ts'

/** Keeps when the last uplink of an account came by its callback and by its broker. */
export interface UplinkTimes {
  note(accountId: number, way: 'callback' | 'broker'): void
  close(): Promise<void>
}

/** Milliseconds in which the time of one account is written once. */
const interval = 10_000

const statements = {
  callback: 'update network_accounts set callback_heard_at = $2 where id = $1',
  broker: 'update network_accounts set broker_heard_at = $2 where id = $1',
} as const

export function createUplinkTimes(dependencies: {
  ingestDb: Queryable
  log: FastifyBaseLogger
  now(): Date
}): UplinkTimes {
  const { ingestDb, log, now } = dependencies
  const written = { callback: new Map<number, number>(), broker: new Map<number, number>() }
  const writings = new Set<Promise<unknown>>()
  return {
    note(accountId, way) {
      const time = now()
      const last = written[way].get(accountId)
      if (last !== undefined && time.getTime() - last < interval) return
      written[way].set(accountId, time.getTime())
      const writing = ingestDb
        .query(statements[way], [accountId, time])
        .catch((err) => {
          written[way].delete(accountId)
          log.debug({ account: accountId, err }, 'the time of an uplink is not written')
        })
        .finally(() => writings.delete(writing))
      writings.add(writing)
    },
    async close() {
      await Promise.all(writings)
    },
  }
}
