import type { ServerResponse } from 'node:http'
import { unavailable } from './errors.ts'
import { createRoom, type ShareUser } from './room.ts'

/** Handles reads in turn: those of an organization as far as its part of the room goes. */
export interface ReadQueue {
  /**
   * Handles a read that takes `amount` of the room, once there is some for its organization.
   * @throws HttpError 503 when it waits too long, when too many wait, or when its client is gone.
   */
  handle<T>(
    read: { user: ShareUser; amount: number; response: ServerResponse },
    work: () => Promise<T>,
  ): Promise<T>
}

export interface ReadLimits {
  /** What an organization may have under way, where there are no others. More would only wait for the database. */
  atOnce: number
  /** What may wait of it, likewise. */
  waiting: number
  /** Milliseconds. */
  patience: number
}

/** Of a process: reads that ask the database for much at once (`isWide`), and all other GETs of members. */
export const defaultReadLimits = {
  wide: { atOnce: 64, waiting: 5000, patience: 4000 },
  narrow: { atOnce: 128, waiting: 5000, patience: 4000 },
}

interface Waiting {
  user: ShareUser
  amount: number
  begin(): void
}

/** Whoever has taken nothing yet. */
const newcomer: ShareUser = { organizationId: -1, tenantId: -1 }

/**
 * A client that waits sends nothing else; one that is refused at once asks again at once. Unlike the shares of
 * `request-shares.ts`, an organization has as much of this as is free.
 */
export function createReadQueue({ atOnce, waiting, patience }: ReadLimits): ReadQueue {
  const room = createRoom(atOnce)
  const seats = createRoom(waiting)
  /** By organization, the one that had its turn longest ago first. */
  const lines = new Map<number, Set<Waiting>>()
  const join = (one: Waiting) => {
    const { organizationId } = one.user
    lines.set(organizationId, (lines.get(organizationId) ?? new Set()).add(one))
    seats.change(one.user, one.amount)
  }
  const leave = (one: Waiting) => {
    const { organizationId } = one.user
    const line = lines.get(organizationId)
    line?.delete(one)
    if (line?.size === 0) lines.delete(organizationId)
    seats.change(one.user, -one.amount)
  }
  const serve = () => {
    // An organization that had its turn comes again at the end.
    for (const [id, line] of lines) {
      const [next] = line
      if (room.partOf(newcomer) >= 1) return
      if (!next || room.partOf(next.user) >= 1) continue
      lines.delete(id)
      lines.set(id, line)
      next.begin()
    }
  }
  const wait = (user: ShareUser, amount: number, response: ServerResponse) =>
    new Promise<void>((resolve, reject) => {
      const end = (act: () => void) => {
        clearTimeout(timer)
        response.off('close', giveUp)
        leave(one)
        act()
      }
      const giveUp = () => end(() => reject(unavailable(1)))
      const begin = () => {
        room.change(user, amount)
        end(resolve)
      }
      const one = { user, amount, begin }
      const timer = setTimeout(giveUp, patience)
      response.once('close', giveUp)
      join(one)
    })
  return {
    async handle({ user, amount, response }, work) {
      if (response.destroyed) throw unavailable(1)
      if (!lines.has(user.organizationId) && room.partOf(user) < 1) room.change(user, amount)
      else if (seats.partOf(user) >= 1) throw unavailable(1)
      else await wait(user, amount, response)
      try {
        return await work()
      } finally {
        room.change(user, -amount)
        serve()
      }
    },
  }
}
