import { z } from 'zod'
import { endpoint } from '../../features/core-services.ts'
import { devicePath, readReference } from '../../features/fleet/inventory/references.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { queryTime } from '../../http/fields.ts'
import { isoTime, momentOf } from '../../http/timestamps.ts'
import { labelOf, type Measurement } from '../../sensors/measurement.ts'
import { measurementsOfType } from '../../sensors/measurements.ts'
import { findDevice, type MeasuredDevice } from './measurement-queries.ts'
import { mostChanges, readStateChanges, type StateChange } from './state-queries.ts'
import { type TimeRange, toRange } from './steps.ts'

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

const stateRecord = z
  .object({
    ...withExamples({ name: z.string(), label: z.string() }, { name: 'state', label: 'State' }),
    intervals: z.array(interval),
    totals: z.array(total),
  })
  .meta({ id: 'DeviceState' })

type StateRecord = z.infer<typeof stateRecord>

export const showStates = endpoint({
  summary: 'The states of a device as intervals, such as how long a door was open',
  description: `The states that the device's uplinks said with \`from\` <= \`event_time\` < \`to\` (the last 24 hours unless
said otherwise). Uplinks that repeat a value lengthen its interval. What was in force when the range
begins, by an uplink of the 30 days before, is cut off there. A range with more than
${mostChanges.toLocaleString('en-US')} changes is refused with 422. Own device types have the states that their owner declares.`,
  params: devicePath,
  query: z.object({ from: queryTime('from').optional(), to: queryTime('to').optional() }),
  answer: z.object({ data: z.array(stateRecord) }),
  failures: [404],
  isLarge: true,
  async handle({ params, query, caller: { organizationId } }, { db, now }) {
    const time = now()
    const { from, to } = toRange(query, time)
    const device = await findDevice(db, organizationId, readReference(params.device_id))
    if (!device) throw notFound('device not found')
    const states = statesOf(device)
    if (states.length === 0) return { data: [] }
    const names = states.map(({ name }) => name)
    const changes = await readStateChanges(db, organizationId, { device, from, to, names })
    if (changes === 'too_many') {
      throw invalid({ from: ['The range holds too many changes. Please choose a shorter one.'] })
    }
    const byName = Map.groupBy(changes, ({ name }) => name)
    return {
      data: states.flatMap((state) => {
        const own = byName.get(state.name)
        return own ? [toRecord(state, own, { from, to, now: time })] : []
      }),
    }
  },
})

/** The states with words, of which a reading tells. */
function statesOf({ type_id, own_type }: MeasuredDevice): Measurement[] {
  const declared = (own_type?.measurements ?? [])
    .filter(({ kind, isHidden }) => kind === 'state' && !isHidden)
    .map((one): Measurement => ({ kind: 'state', label: labelOf(one.name), ...one }))
  const builtIn = measurementsOfType(type_id).filter(
    ({ kind, words, isHeadline }) => kind === 'state' && words && isHeadline,
  )
  return [...new Map([...builtIn, ...declared].map((state) => [state.name, state])).values()]
}

interface Range extends TimeRange {
  now: Date
}

function toRecord(state: Measurement, changes: readonly StateChange[], range: Range): StateRecord {
  const intervals = toIntervals(state, changes, range)
  const totals = [...Map.groupBy(intervals, ({ value }) => value)].map(([value, own]) => ({
    value,
    text: textOf(state, value),
    count: own.filter(({ from }) => from > isoTime(momentOf(range.from))).length,
    seconds: sum(own.map(({ seconds }) => seconds)),
    longest: Math.max(...own.map(({ seconds }) => seconds)),
  }))
  return { name: state.name, label: state.label, intervals, totals }
}

function toIntervals(
  state: Measurement,
  changes: readonly StateChange[],
  { from, to, now }: Range,
): StateRecord['intervals'] {
  const begin = isoTime(momentOf(from))
  const end = isoTime(momentOf(to < now ? to : now))
  const isOver = to < now
  // The value before the range may be that of the first uplink in it.
  const own = changes.filter(({ value }, index) => value !== changes[index - 1]?.value)
  return own.map(({ value, time }, index) => {
    const next = own[index + 1]
    const start = isoTime(time) < begin ? begin : isoTime(time)
    const stop = next ? isoTime(next.time) : end
    return {
      value,
      text: textOf(state, value),
      from: start,
      to: next || isOver ? stop : null,
      seconds: Math.max(0, secondsBetween(start, stop)),
    }
  })
}

function textOf({ words }: Measurement, value: string): string {
  return words?.find((word) => word.value === value)?.text ?? labelOf(value)
}

function secondsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1000
}

/** Thousandths of a second add up without an error in the last digits. */
function sum(seconds: readonly number[]): number {
  return Math.round(seconds.reduce((all, one) => all + one, 0) * 1000) / 1000
}
