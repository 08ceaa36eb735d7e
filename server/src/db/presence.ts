import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Queryable } from './connect.ts'

/** Shows the other processes that this one lives: what a dead one had claimed is free. */
export interface Presence {
  /** What claims are marked with; null while the process does not show that it lives. */
  readonly id: string | null
  start(): void
  close(): Promise<void>
}

/** Between two signs of life, in milliseconds. */
const interval = 1_500
/**
 * Seconds without a sign after which a process counts as dead. A live one that gives no sign for so
 * long may lose its claims: what it is just doing is then looked for at the network before it is
 * done again.
 */
const lifeSeconds = 6

export function createPresence({ db, log }: { db: Queryable; log: FastifyBaseLogger }): Presence {
  const id = randomUUID()
  let isShown = false
  let timer: NodeJS.Timeout | undefined
  let showing: Promise<void> = Promise.resolve()

  const show = () => {
    showing = showLife(db, id, lifeSeconds).then(
      () => {
        isShown = true
      },
      (err) => log.warn({ err }, 'this process could not show that it lives'),
    )
  }
  return {
    get id() {
      return isShown ? id : null
    },
    start() {
      show()
      timer ??= setInterval(show, interval)
    },
    async close() {
      clearInterval(timer)
      await showing
      if (isShown) await endLife(db, id).catch(() => undefined)
      isShown = false
    },
  }
}

/** Says that a process lives, and will for so many seconds. What a dead one held is free. */
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

export async function endLife(db: Queryable, id: string): Promise<void> {
  await db.query('delete from processes where id = $1', [id])
}

/** The ids of the processes that live, as text: to stand in a query. */
export const living = '(select id::text from processes where alive_until > clock_timestamp())'
