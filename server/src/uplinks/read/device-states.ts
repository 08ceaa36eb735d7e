import { z } from 'zod'
import type { Database } from '../../db/connect.ts'
import { readBriefly } from '../../db/read-briefly.ts'
import { withExamples } from '../../http/examples.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import type { Measurement } from '../../sensors/measurement.ts'
import { statesOf, textOfState } from '../../sensors/measurements.ts'
import { followState, saidBy } from '../rollups/state-times.ts'
import { hasTooManyUplinks, type MeasuredDevice } from './measurement-queries.ts'
import { readSaidStates } from './state-queries.ts'
import { type KnownState, readStates } from './states.ts'
import { hour, type TimeRange } from './steps.ts'

/** Intervals of all states of one answer. */
export const mostChanges = 5000

const interval = z
  .object(
    withExamples(
      {
        value: z.string(),
        text: z.string().describe('The value in words.'),
        from: z.string(),
        to: z.string().nullable().describe('Null where it is not known to have ended.'),
        seconds: z.number().describe('How long it lasted within the range.'),
      },
      {
        value: 'open',
        text: 'Open',
        from: '2026-02-28T21:07:12.000000Z',
        to: '2026-02-28T21:15:03.412000Z',
        seconds: 471.412,
      },
    ),
  )
  .meta({ id: 'StateInterval' })

const total = z.object(
  withExamples(
    {
      value: z.string(),
      text: z.string(),
      count: z.int().describe('How often it began within the range.'),
      seconds: z.number(),
      longest: z.number().describe('Seconds of the longest interval.'),
    },
    { value: 'open', text: 'Open', count: 1, seconds: 471.412, longest: 471.412 },
  ),
)

export const stateRecord = z
  .object({
    ...withExamples(
      { name: z.string(), label: z.string(), quantity: z.string().nullable() },
      { name: 'state', label: 'Door', quantity: 'action.contactState' },
    ),
    intervals: z.array(interval),
    totals: z.array(total),
  })
  .meta({ id: 'DeviceState' })

export type StateRecord = z.infer<typeof stateRecord>

interface Range extends TimeRange {
  now: Date
}

/** The states of a device with their intervals in a range. */
export async function readIntervals(
  db: Database,
  organizationId: number,
  device: MeasuredDevice,
  range: Range,
): Promise<StateRecord[] | 'too_many' | 'behind'> {
  const states = new Map(statesOf(device).map((state) => [state.name, state]))
  if (states.size === 0) return []
  const names = [...states.keys()]
  const known = await readKnownStates(db, organizationId, { device, names, ...range })
  if (typeof known === 'string') return known
  const found = known.flatMap((one): StateRecord[] => {
    const state = states.get(one.state.name)
    const intervals = state ? toIntervals(state, one, range) : []
    return state && intervals.length > 0 ? [toRecord(state, intervals, range)] : []
  })
  const count = found.reduce((sum, { intervals }) => sum + intervals.length, 0)
  return count > mostChanges ? 'too_many' : found
}

/** What is rolled up tells the values at the first hour of the range, from which on uplinks are read. */
function readKnownStates(
  db: Database,
  organizationId: number,
  { device, names, from, to }: TimeRange & { device: MeasuredDevice; names: string[] },
): Promise<KnownState[] | 'too_many' | 'behind'> {
  const begin = new Date(Math.floor(from.getTime() / hour) * hour)
  return readBriefly(db, 'too_many', async (tx) => {
    const asked = { device, from: begin, to }
    if (await hasTooManyUplinks(tx, organizationId, asked)) return 'too_many'
    const said = await readSaidStates(tx, organizationId, {
      deviceId: device.id,
      names,
      from: begin,
      to,
    })
    const states = names.map((name) => ({ device_id: device.id, name }))
    const found: KnownState[] = []
    const before = { states, from: begin, to: begin }
    const problem = await readStates(tx, organizationId, before, (known) => {
      const earlier = known.said.filter(({ first }) => first < begin.getTime() * 1000)
      const own = said.get(known.state.name) ?? []
      found.push({ ...known, said: [...earlier, ...own.map(saidBy)] })
    })
    return problem ?? found
  })
}

/** The times of a value without a pause are one interval, however often uplinks repeat it. */
function toIntervals(
  state: Measurement,
  { said, silence }: KnownState,
  { from, to, now }: Range,
): StateRecord['intervals'] {
  const [begin, end] = [from.getTime() * 1000, Math.min(to.getTime(), now.getTime()) * 1000]
  const spans: { value: string; from: number; to: number }[] = []
  followState(said, silence, {
    held(value, start, stop) {
      const last = spans.at(-1)
      if (last && last.value === value && last.to === start) last.to = stop
      else spans.push({ value, from: start, to: stop })
    },
    // All of it is before the range.
    lasted() {},
  })
  return spans
    .filter((span) => span.to > begin && span.from < end)
    .map((span) => {
      const [start, stop] = [Math.max(begin, span.from), Math.min(end, span.to)]
      return {
        value: span.value,
        text: textOfState(state, span.value),
        from: exactTimeOf(start),
        to: span.to > end && to >= now ? null : exactTimeOf(stop),
        seconds: (stop - start) / 1_000_000,
      }
    })
}

function toRecord(
  state: Measurement,
  intervals: StateRecord['intervals'],
  { from: begin }: Range,
): StateRecord {
  const totals = [...Map.groupBy(intervals, ({ value }) => value)].map(([value, own]) => ({
    value,
    text: textOfState(state, value),
    count: own.filter(({ from }) => Date.parse(from) > begin.getTime()).length,
    seconds: sum(own.map(({ seconds }) => seconds)),
    longest: Math.max(...own.map(({ seconds }) => seconds)),
  }))
  const { name, label, quantity = null } = state
  return { name, label, quantity, intervals, totals }
}

/** The time of microseconds since 1970. */
function exactTimeOf(time: number): string {
  const thousandths = String(time % 1000).padStart(3, '0')
  return isoTimeOf(new Date(Math.floor(time / 1000))).replace('000Z', `${thousandths}Z`)
}

/** Millionths of a second add up without an error in the last digits. */
function sum(seconds: readonly number[]): number {
  return Math.round(seconds.reduce((all, one) => all + one, 0) * 1_000_000) / 1_000_000
}
