import { DatabaseUnavailable } from '../../db/errors.ts'

/** What a message has from its arrival until the writer is done with it. */
export interface Place {
  /** On the clock of `performance.now()`, as the deadline. */
  since: number
  deadline: number
  /** Tells the sender that the message is not stored in time; undefined when it is told. */
  refuse: ((error: unknown) => void) | undefined
}

/** The messages that are in the queue, in the order of arrival. */
export interface Places {
  /** A place whose sender is refused at the deadline, unless the place is left before. */
  take(deadline: number): Place
  leave(place: Place): void
  /** Seconds since the arrival of the message that waits longest; 0 when none waits. */
  oldestWait(): number
  /** Resolves when all have left. */
  emptied(): Promise<void>
}

/** Between two looks at the deadlines, in milliseconds; a timer cannot wait for ever. */
const longestWatch = 60_000

/**
 * A database that falls silent lets a statement hang for seconds after the sender has given up. So
 * the sender is refused at the deadline. The message keeps its place while it may still be stored: a
 * repeat is absorbed then. One timer is enough for all places.
 */
export function createPlaces(): Places {
  const places = new Set<Place>()
  let onEmpty: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  let watched = Number.POSITIVE_INFINITY

  function watch(deadline: number): void {
    if (deadline >= watched) return
    clearTimeout(timer)
    watched = deadline
    const left = Math.max(1, Math.ceil(deadline - performance.now()))
    timer = setTimeout(refuseOverdue, Math.min(left, longestWatch)).unref()
  }

  function refuseOverdue(): void {
    const now = performance.now()
    watched = Number.POSITIVE_INFINITY
    let next = Number.POSITIVE_INFINITY
    for (const place of places) {
      const { refuse, deadline } = place
      if (!refuse) continue
      if (deadline > now) next = Math.min(next, deadline)
      else {
        place.refuse = undefined
        refuse(new DatabaseUnavailable('it did not answer in time'))
      }
    }
    watch(next)
  }

  return {
    take(deadline) {
      const place = { since: performance.now(), deadline, refuse: undefined }
      places.add(place)
      watch(deadline)
      return place
    },
    leave(place) {
      places.delete(place)
      if (places.size === 0) onEmpty?.()
    },
    oldestWait() {
      const [oldest] = places
      return oldest === undefined ? 0 : (performance.now() - oldest.since) / 1000
    },
    async emptied() {
      const { promise, resolve } = Promise.withResolvers<void>()
      onEmpty = resolve
      if (places.size > 0) await promise
    },
  }
}
