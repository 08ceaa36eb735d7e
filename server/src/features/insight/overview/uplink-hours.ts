import type { Queryable } from '../../../db/connect.ts'
import { findEnds, findPositions } from '../../../uplinks/rows/series.ts'

const hourMs = 3_600_000
/** Hours of a week. */
export const shownHours = 168
/** Organizations whose past hours are kept. */
const mostOrganizations = 1000

/** Uplinks that were stored in an hour. */
export interface HourCount {
  start: Date
  count: number
}

export interface UplinkHours {
  total: number
  hours: readonly HourCount[]
}

/**
 * Counts the uplinks of the last 168 hours, the current one included. The ordinals have no gaps, so
 * the first ordinal of each hour is enough. Those of past hours do not change and are kept: a first
 * look takes 30 ms with 100 million uplinks, the next ones less than one.
 */
export function createHourCounts() {
  /** By database: tests have several in one process. */
  const databases = new WeakMap<Queryable, Map<number, Map<number, number>>>()
  return async (db: Queryable, organizationId: number, now: Date): Promise<UplinkHours> => {
    const current = Math.floor(now.getTime() / hourMs) * hourMs
    const starts = Array.from(
      { length: shownHours },
      (_, index) => current - (shownHours - 1 - index) * hourMs,
    )
    const known = databases.get(db) ?? new Map<number, Map<number, number>>()
    databases.set(db, known)
    const kept = known.get(organizationId) ?? new Map<number, number>()
    const missing = starts.filter((start) => !kept.has(start))
    const series = { organizationId, deviceId: undefined }
    const ends = await findEnds(db, series)
    const { first: lowest, top } = ends
    const times = missing.map((start) => new Date(start))
    const range = { top, first: Math.max(lowest, firstBefore(kept, missing)) }
    const found = times.length > 0 ? await findPositions(db, series, range, times) : []
    const firsts = new Map(kept)
    for (const [index, start] of missing.entries()) firsts.set(start, found[index] ?? top + 1)
    keep(known, organizationId, firsts, { starts, now: now.getTime() })
    const hours = starts.map((start, index) => {
      const next = starts[index + 1]
      const end = next === undefined ? top + 1 : (firsts.get(next) ?? top + 1)
      // What was kept here may lie before the uplinks that are left.
      const first = Math.max(lowest, firsts.get(start) ?? end)
      return { start: new Date(start), count: Math.max(0, end - first) }
    })
    return { total: top - lowest + 1, hours }
  }
}

/**
 * The first number of the last kept hour before these hours, so that the uplinks of an hour are searched
 * in place of all: each look in the first minute of an hour searches. 0 where none is kept.
 */
function firstBefore(kept: ReadonlyMap<number, number>, hours: readonly number[]): number {
  const [earliest = 0] = hours
  return kept.get(Math.max(...[...kept.keys()].filter((start) => start < earliest))) ?? 0
}

/** An hour that began a minute ago has all of its first uplinks. */
const settledMs = 60_000

function keep(
  known: Map<number, Map<number, number>>,
  organizationId: number,
  firsts: ReadonlyMap<number, number>,
  { starts, now }: { starts: readonly number[]; now: number },
): void {
  const settled = starts.filter((start) => start < now - settledMs)
  known.delete(organizationId)
  known.set(organizationId, new Map(settled.map((start) => [start, firsts.get(start) ?? 0])))
  const [oldest] = known.keys()
  if (known.size > mostOrganizations && oldest !== undefined) known.delete(oldest)
}
