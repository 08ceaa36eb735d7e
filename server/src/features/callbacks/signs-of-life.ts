import type { FastifyBaseLogger } from 'fastify'
import type { Queryable } from '../../db/connect.ts'
import { endPause } from '../connections/pause-queries.ts'

/** Notices by what a network sends that it is back, before it is asked again. */
export interface SignsOfLife {
  /** A message came from the network of this account. */
  note(accountId: number): void
}

/** An account is looked at no more often, in milliseconds: what it sends may be many a second. */
const interval = 10_000

interface Dependencies {
  db: Queryable
  log: FastifyBaseLogger
  now(): Date
  /** Looks for what is due. */
  wake(): void
}

export function createSignsOfLife({ db, log, now, wake }: Dependencies): SignsOfLife {
  const lookedAt = new Map<number, number>()
  const look = async (accountId: number, time: Date) => {
    if (await endPause(db, accountId, time)) wake()
  }
  return {
    note(accountId) {
      const time = now()
      const last = lookedAt.get(accountId)
      if (last !== undefined && time.getTime() - last < interval) return
      lookedAt.set(accountId, time.getTime())
      look(accountId, time).catch((error) => log.warn({ err: error }, 'sign of life'))
    },
  }
}
