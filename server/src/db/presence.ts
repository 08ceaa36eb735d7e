import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Database, Queryable } from './connect.ts'
import type { WriteHealth } from './write-health.ts'

/**
 * The identity of this process, shown in the database while it lives: what a dead process had
 * claimed, or which brokers it followed, is free for the others.
 */
export interface Presence {
  /** The mark of this process's claims; null while it is not shown as alive. */
  readonly id: string | null
  /** Shows from now on that the process lives. */
  start(): void
  /** Shows once that the process lives; returns its identity. */
  show(): Promise<string>
  close(): Promise<void>
}

/** Between two signs of life, in milliseconds. */
const interval = 1_500
/**
 * Signs of life that are under way together. The second has another connection than the first, which
 * may have fallen silent. More would take the connections from uplinks.
 */
const mostSigns = 2
/**
 * Seconds without a sign of life after which a process counts as dead. A live process that is silent
 * for so long may lose its claims. The next holder asks the network what was done before it repeats
 * a call.
 */
const lifeSeconds = 5

interface PresenceServices {
  db: Database
  log: FastifyBaseLogger
  writeHealth: WriteHealth
}

export function createPresence({ db, log, writeHealth }: PresenceServices): Presence {
  const id = randomUUID()
  let isShown = false
  let timer: NodeJS.Timeout | undefined
  const signs = new Set<Promise<void>>()

  const show = async () => {
    await writeHealth.prove(db, () => showLife(db, id, lifeSeconds))
    isShown = true
  }
  const showOrWarn = () => {
    if (signs.size === mostSigns) return
    const sign = show()
      .catch((err) => log.warn({ err }, 'this process could not show that it lives'))
      .finally(() => signs.delete(sign))
    signs.add(sign)
  }
  return {
    get id() {
      return isShown ? id : null
    },
    start() {
      if (timer) return
      showOrWarn()
      timer = setInterval(showOrWarn, interval)
    },
    async show() {
      await show()
      return id
    },
    async close() {
      clearInterval(timer)
      await Promise.all(signs)
      if (isShown) await endLife(db, id).catch(() => undefined)
      isShown = false
    },
  }
}

/** Records that a process is alive for the next `seconds`. */
export async function showLife(db: Queryable, id: string, seconds: number): Promise<void> {
  await db.query(
    `with gone as (
       delete from processes where alive_until < clock_timestamp() - interval '1 hour' and id <> $1
     )
     insert into processes (id, alive_until)
     values ($1, clock_timestamp() + make_interval(secs => $2))
     on conflict (id) do update set alive_until = excluded.alive_until`,
    [id, seconds],
  )
}

async function endLife(db: Queryable, id: string): Promise<void> {
  await db.query('delete from processes where id = $1', [id])
}

/** A part of queries: the ids of live processes, as text. */
export const living = '(select id::text from processes where alive_until > clock_timestamp())'
