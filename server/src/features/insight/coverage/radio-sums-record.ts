import { z } from 'zod'
import { invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { queryInteger, queryTime } from '../../../http/fields.ts'
import { isoTimeOf } from '../../../http/timestamps.ts'
import { toWholeMicroseconds } from '../../../lora/airtime.ts'
import { signalRecord } from '../device-health/radio-record.ts'
import { type FrameRange, mostUplinks, type ReadFrames } from './frame-queries.ts'
import { addRate, type PartSums, type RadioSums, type RateSum, type Spread } from './radio-sums.ts'

/** What the radio of a network and that of a gateway have in common. */

const week = 7 * 24 * 60 * 60 * 1000

export const radioRangeFields = {
  since: queryTime('since').optional(),
  until: queryTime('until').optional(),
  points: queryInteger('points', { min: 1, max: 1000, fallback: 100 }),
}

interface AskedRange {
  since?: Date | undefined
  until?: Date | undefined
  points: number
}

export interface RadioRange extends FrameRange {
  /** The length of each part of the range, in milliseconds. */
  width: number
}

/** The last 7 days unless said otherwise. */
export function readRadioRange(query: AskedRange, now: Date): RadioRange {
  const until = query.until ?? now
  const since = query.since ?? new Date(until.getTime() - week)
  if (since >= until) throw invalid({ since: ['The since must be before the until.'] })
  const width = Math.ceil((until.getTime() - since.getTime()) / query.points)
  return { since, until, width }
}

export const tooMuch = () =>
  invalid({ since: ['The range is too long to be read at once. Choose a shorter one.'] })

const most = mostUplinks.toLocaleString('en-US')

export const aboutRadio = `The uplinks with \`since\` <= \`event_time\` < \`until\` (the last 7 days
unless said otherwise) in up to \`points\` equal parts of the range; parts without an uplink are
left out. Those that were stored more than an hour after the range are not among them.

\`lost\` are the gaps of the devices' frame counters. A gap counts in the part of the frame after
it. \`airtime_ms\` is computed from data rate and length (13 bytes around each payload, coding rate
4/5); of \`untimed\` uplinks it is not known, because their network tells no data rate, or another
one than LoRa's and FSK's.

The newest ${most} uplinks of the organization in the range are read. If it holds more,
\`is_complete\` is false and \`since\` is the time from which on they were read.`

const rateAirtime = z
  .object(
    withExamples(
      { data_rate: z.string().nullable(), uplinks: z.int(), airtime_ms: z.number() },
      { data_rate: 'SF9BW125', uplinks: 12, airtime_ms: 2224.128 },
    ),
  )
  .meta({ id: 'DataRateAirtime' })

const fleetPoint = z
  .object({
    ...withExamples(
      {
        time: z.string().meta({ description: 'When the part of the range begins.' }),
        uplinks: z.int(),
        received: z.int(),
        lost: z.int(),
        airtime_ms: z.number(),
      },
      {
        time: '2026-02-28T00:00:00.000000Z',
        uplinks: 12,
        received: 12,
        lost: 1,
        airtime_ms: 2224.128,
      },
    ),
    rssi: signalRecord.nullable(),
    snr: signalRecord.nullable(),
    data_rates: z.array(rateAirtime),
  })
  .meta({ id: 'FleetRadioPoint' })

/** How the frames of many devices arrived in a range of time. */
export const fleetRadio = z
  .object({
    ...withExamples(
      {
        since: z.string(),
        until: z.string(),
        is_complete: z
          .boolean()
          .meta({ description: 'False where the range holds more uplinks than are read.' }),
        devices: z.int(),
        uplinks: z.int(),
        received: z.int(),
        lost: z.int(),
        loss: z.number().nullable().meta({ description: 'Lost of all sent frames, 0 to 1.' }),
        repeated: z.int(),
        airtime_ms: z.number(),
        untimed: z.int(),
      },
      {
        since: '2026-02-28T00:00:00.000000Z',
        until: '2026-03-01T00:00:00.000000Z',
        is_complete: true,
        devices: 1,
        uplinks: 12,
        received: 12,
        lost: 1,
        loss: 0.0769,
        repeated: 0,
        airtime_ms: 2224.128,
        untimed: 0,
      },
    ),
    points: z.array(fleetPoint),
    data_rates: z.array(rateAirtime),
  })
  .meta({ id: 'FleetRadio' })

type FleetRadio = z.infer<typeof fleetRadio>

export function toFleetRadio(range: RadioRange, read: ReadFrames, sums: RadioSums): FleetRadio {
  const parts = [...sums.parts].sort(([one], [other]) => one - other)
  const total = { uplinks: 0, received: 0, lost: 0, repeated: 0, airtime: 0, untimed: 0 }
  const rates = new Map<string | null, RateSum>()
  for (const [, part] of parts) {
    total.uplinks += part.uplinks
    total.received += part.received
    total.lost += part.lost
    total.repeated += part.repeated
    total.airtime += part.airtime
    total.untimed += part.untimed
    for (const [dataRate, sum] of part.rates) addRate(rates, dataRate, sum)
  }
  const sent = total.received + total.lost
  const { airtime, ...counts } = total
  return {
    since: read.since,
    until: isoTimeOf(range.until),
    is_complete: read.isComplete,
    devices: sums.devices,
    ...counts,
    loss: sent === 0 ? null : total.lost / sent,
    airtime_ms: toWholeMicroseconds(airtime),
    points: parts.map(([index, part]) => toPoint(range, index, part)),
    data_rates: toRates(rates),
  }
}

function toPoint({ since, width }: RadioRange, index: number, part: PartSums) {
  return {
    time: isoTimeOf(new Date(since.getTime() + index * width)),
    uplinks: part.uplinks,
    received: part.received,
    lost: part.lost,
    airtime_ms: toWholeMicroseconds(part.airtime),
    rssi: toSignal(part.rssi),
    snr: toSignal(part.snr),
    data_rates: toRates(part.rates),
  }
}

function toSignal({ min, max, sum, count }: Spread) {
  return count === 0 ? null : { min, max, average: sum / count }
}

/** The most frequent rate is first. */
function toRates(rates: ReadonlyMap<string | null, RateSum>): FleetRadio['data_rates'] {
  return [...rates]
    .sort(([, one], [, other]) => other.uplinks - one.uplinks)
    .map(([data_rate, { uplinks, airtime }]) => {
      return { data_rate, uplinks, airtime_ms: toWholeMicroseconds(airtime) }
    })
}
