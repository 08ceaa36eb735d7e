import type { Database } from '../../db/connect.ts'
import { readBriefly } from '../../db/read-briefly.ts'
import type { StateKey } from '../rollups/state-queries.ts'
import { followState } from '../rollups/state-times.ts'
import { splitHours } from './points-queries.ts'
import { type KnownState, readStates } from './states.ts'
import type { Parts } from './steps.ts'

/** Of all states together, which may have any number of values. */
const mostTimes = 1_000_000

/** Microseconds that a state had each value in each part. */
export type TimesIn = Map<string, number[]>

/**
 * How long each state had each of its values, in the parts of a range, which begin on whole hours of a time
 * zone. `too_many` when there is more than one request may cost, `behind` when too many uplinks are not
 * rolled up yet.
 */
export function readTimesIn(
  db: Database,
  organizationId: number,
  { states, parts, now }: { states: readonly StateKey[]; parts: Parts; now: Date },
): Promise<TimesIn[] | 'too_many' | 'behind'> {
  const { starts, end } = parts
  const borders = [...starts, end].map((at) => at * 1000)
  const until = Math.min(end, now.getTime()) * 1000
  return readBriefly(db, 'too_many', async (tx) => {
    const found: TimesIn[] = []
    let count = 0
    const asked = {
      states,
      ...{ from: new Date(starts[0] ?? end), to: new Date(end) },
      split: splitHours([...starts, end]),
    }
    const problem = await readStates(tx, organizationId, asked, (known) => {
      if (count > mostTimes) return
      const times = sumUp(known, borders, until)
      found.push(times)
      count += times.size * starts.length
    })
    return problem ?? (count > mostTimes ? 'too_many' : found)
  })
}

function sumUp({ said, silence }: KnownState, borders: readonly number[], until: number): TimesIn {
  const times: TimesIn = new Map()
  const [begin = 0, end = 0] = [borders[0], borders.at(-1)]
  const add = (value: string, part: number, time: number) => {
    let own = times.get(value)
    if (!own) {
      if (times.size * borders.length > mostTimes) return
      own = Array.from({ length: borders.length - 1 }, () => 0)
      times.set(value, own)
    }
    own[part] = (own[part] ?? 0) + time
  }
  followState(said, silence, {
    held(value, from, to) {
      const stop = Math.min(to, until)
      let start = Math.max(from, begin)
      for (let part = partAt(borders, start); start < stop; part += 1) {
        const next = Math.min(stop, borders[part + 1] ?? stop)
        add(value, part, next - start)
        start = next
      }
    },
    lasted(value, at, time) {
      if (time > 0 && at >= begin && at < end) add(value, partAt(borders, at), time)
    },
  })
  return times
}

/** The part in which a time is. */
function partAt(borders: readonly number[], time: number): number {
  let [low, high] = [0, borders.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((borders[middle] ?? 0) <= time) low = middle
    else high = middle
  }
  return low
}
