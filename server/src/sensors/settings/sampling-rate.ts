import { number, select } from './fields.ts'
import type { Chosen, Option } from './section.ts'

/*
 * The sampling rate, byte 3 of the general configuration: how often a sensor wakes to measure. The
 * RBS301-ABM manual (manualshive 1855646, p. 15) has it, but not how it is coded. Inferred is all
 * of this, so that it stands alone:
 *
 * | bits | meaning                                              |
 * |------|------------------------------------------------------|
 * | 7:6  | unit: 0 is 250 ms, 1 seconds, 2 minutes, 3 hours     |
 * | 5:0  | count; 0 for no change                               |
 *
 * That service.md has three fields for it (rate, rate in milliseconds, unit) agrees.
 */
const samplingUnit = { milliseconds: 0, seconds: 1, minutes: 2, hours: 3 }
const longestCount = 63

const fractions: Option[] = Array.from({ length: longestCount }, (_, index) => ({
  value: index + 1,
  text: `${(index + 1) * 250} ms`,
}))

export const samplingFields = [
  number({
    id: 'sampling_rate',
    key: 'sampling_rate',
    label: 'Sampling rate',
    description:
      'The sensor wakes every so many seconds, minutes or hours to measure. Left empty or 0, not changed.',
    place: { byte: 3, bits: { lowest: 0, count: 6 } },
    default: 0,
    onlyWhen: {
      key: 'sampling_period',
      values: [samplingUnit.seconds, samplingUnit.minutes, samplingUnit.hours],
    },
    min: 0,
    max: longestCount,
    unit: '',
    isInferred: true,
  }),
  select({
    id: 'sampling_rate_ms',
    key: 'sampling_rate_ms',
    label: 'Sampling rate in milliseconds',
    description:
      'The sensor wakes at this interval to measure. Not together with the sampling rate above. Left empty, not changed.',
    place: { byte: 3, bits: { lowest: 0, count: 6 } },
    default: 0,
    onlyWhen: { key: 'sampling_period', values: [samplingUnit.milliseconds] },
    options: [{ value: 0, text: 'Do not change' }, ...fractions],
    isInferred: true,
  }),
  select({
    id: 'sampling_period',
    key: 'sampling_period',
    label: 'Unit of the sampling rate',
    description: 'What the sampling rate counts. Left empty, milliseconds.',
    place: { byte: 3, bits: { lowest: 6, count: 2 } },
    default: samplingUnit.milliseconds,
    options: [
      { value: samplingUnit.milliseconds, text: 'Milliseconds' },
      { value: samplingUnit.seconds, text: 'Seconds' },
      { value: samplingUnit.minutes, text: 'Minutes' },
      { value: samplingUnit.hours, text: 'Hours' },
    ],
    isInferred: true,
  }),
]

/** A unit without a count is refused, as the sensor would take it for "no change". */
export function checkSampling({ sampling_period, sampling_rate }: Chosen) {
  if (sampling_period === samplingUnit.milliseconds || sampling_rate !== 0) return []
  const message = `Sampling rate must be 1 to ${longestCount} when its unit is chosen.`
  return [{ key: 'sampling_rate', message }]
}
