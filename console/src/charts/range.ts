import { useMemo } from 'react'
import { oneOf, text } from '../router/search.ts'
import { useNow } from '../ui/time.tsx'
import type { TimeRange } from './chart-data.ts'

const hour = 3_600_000
const day = 24 * hour

/** Ranges up to now. `all` begins where the caller says. */
const lengths = { hour, day, week: 7 * day, month: 30 * day, year: 365 * day } as const

export type RangeName = keyof typeof lengths | 'all' | 'custom'

export const rangeNames = ['hour', 'day', 'week', 'month', 'year', 'all', 'custom'] as const

/** The members of an address that hold a range. */
export const rangeSearch = { range: oneOf(...rangeNames), from: text, to: text }

export interface RangeSearch {
  range?: RangeName | undefined
  /** ISO 8601, for a range of one's own. */
  from?: string | undefined
  to?: string | undefined
}

export interface ReadRange extends TimeRange {
  name: RangeName
  /** The length of one of `parts` parts. */
  width: number
}

/** The range of an address. Its end moves on in whole parts, so that few requests are made. */
export function useRange(
  search: RangeSearch,
  { usual, beginning, parts }: { usual: RangeName; beginning: number; parts: number },
): ReadRange {
  const now = useNow()
  const { range = usual, from, to } = search
  const read = readRange({ range, from, to }, { usual, beginning, parts }, now)
  // The same numbers stay the same object: a new object would draw the charts again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are all members
  return useMemo(() => read, [read.name, read.from, read.to, read.width])
}

function readRange(
  { range, from, to }: RangeSearch,
  { usual, beginning, parts }: { usual: RangeName; beginning: number; parts: number },
  now: number,
): ReadRange {
  const own = { from: Date.parse(from ?? ''), to: Date.parse(to ?? '') }
  if (range === 'custom' && own.from < own.to) {
    return { name: 'custom', ...own, width: (own.to - own.from) / parts }
  }
  const name =
    range === undefined || range === 'custom' ? (usual === 'custom' ? 'week' : usual) : range
  const length = name === 'all' ? Math.max(hour, now - beginning) : lengths[name as 'week']
  const step = Math.max(1000, Math.ceil(length / parts / 1000) * 1000)
  const end = Math.ceil(now / step) * step
  return { name, from: end - step * Math.ceil(length / step), to: end, width: step }
}

/** The address of a range of one's own; of undefined, that of the usual range. */
export function searchOfRange(range: TimeRange | undefined): RangeSearch {
  if (!range) return { range: undefined, from: undefined, to: undefined }
  const write = (time: number) => new Date(Math.round(time)).toISOString()
  return { range: 'custom', from: write(range.from), to: write(range.to) }
}
