import { z } from 'zod'
import { invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { queryTime } from '../../../http/fields.ts'
import { isoTimeOf } from '../../../http/timestamps.ts'
import {
  airtimeOf,
  type DutyBand,
  dutyBandOf,
  dutyBands,
  isUnderDutyCycle,
  toWholeMicroseconds,
} from '../../../lora/airtime.ts'
import { endpoint } from '../../core-services.ts'
import { devicePath, readReference } from '../../fleet/inventory/references.ts'
import { mostSent, readSent, type SentAlike } from './airtime-queries.ts'
import { findHealthDevice } from './radio-queries.ts'

/** The airtime of a device by the hour, and how much of its duty cycle that is. */

const hourMs = 3_600_000

interface AirtimeHour {
  /** Milliseconds. */
  time: number
  uplinks: number
  /** Milliseconds, as all airtimes here. */
  airtime: number
  /** By name of the band. */
  bands: Map<string, number>
}

interface BandUse {
  band: DutyBand
  airtime: number
  /** The hour with the most airtime in this band. */
  busiest: { time: number; airtime: number }
}

export interface AirtimeSums {
  uplinks: number
  airtime: number
  /** Uplinks whose data rate does not tell how long they took. */
  untimed: number
  /** In order of time. */
  hours: AirtimeHour[]
  bands: BandUse[]
}

/** Adds up what was sent, which is in order of time. Bands are left out where they do not apply. */
function sumAirtime(sent: readonly SentAlike[], isUnderDutyCycle: boolean): AirtimeSums {
  const sums: AirtimeSums = { uplinks: 0, airtime: 0, untimed: 0, hours: [], bands: [] }
  const uses = new Map<string, BandUse>()
  for (const { hour, frequency, data_rate, payload_bytes, uplinks } of sent) {
    const each = airtimeOf(data_rate, payload_bytes)
    const airtime = (each ?? 0) * uplinks
    sums.uplinks += uplinks
    sums.airtime += airtime
    if (each === undefined) sums.untimed += uplinks
    const present = hourAt(sums.hours, hour * hourMs)
    present.uplinks += uplinks
    present.airtime += airtime
    const band = isUnderDutyCycle ? dutyBandOf(frequency) : undefined
    if (band) addToBand(uses, present, band, airtime)
  }
  sums.bands = [...uses.values()].sort((one, other) => one.band.from - other.band.from)
  return sums
}

/** The share of what the band allows in an hour: 1 is all of it. */
function usedOf({ limit }: DutyBand, airtime: number): number {
  return airtime / (limit * hourMs)
}

function hourAt(hours: AirtimeHour[], time: number): AirtimeHour {
  const last = hours.at(-1)
  if (last?.time === time) return last
  const hour = { time, uplinks: 0, airtime: 0, bands: new Map<string, number>() }
  hours.push(hour)
  return hour
}

function addToBand(
  uses: Map<string, BandUse>,
  hour: AirtimeHour,
  band: DutyBand,
  airtime: number,
): void {
  const ofHour = (hour.bands.get(band.name) ?? 0) + airtime
  hour.bands.set(band.name, ofHour)
  const use = uses.get(band.name) ?? { band, airtime: 0, busiest: { time: hour.time, airtime: 0 } }
  use.airtime += airtime
  if (ofHour > use.busiest.airtime) use.busiest = { time: hour.time, airtime: ofHour }
  uses.set(band.name, use)
}

const week = 7 * 24 * 60 * 60 * 1000
const most = mostSent.toLocaleString('en-US')
/** The newest hours that are listed, which bounds the answer. */
const mostHours = 2000

const bandNames = dutyBands.map(({ name }) => name).join(', ')

const used = z.number().meta({
  description: 'The share of what the band allows in an hour: 1 is all of it.',
})

const bandOfHour = z
  .object(
    withExamples(
      { band: z.string(), airtime_ms: z.number(), used },
      { band: 'M', airtime_ms: 1236.992, used: 0.0344 },
    ),
  )
  .meta({ id: 'DutyCycleOfHour' })

const airtimeHour = z
  .object({
    ...withExamples(
      { time: z.string(), uplinks: z.int(), airtime_ms: z.number() },
      { time: '2026-02-28T09:00:00.000000Z', uplinks: 6, airtime_ms: 1236.992 },
    ),
    bands: z.array(bandOfHour),
  })
  .meta({ id: 'AirtimeHour' })

const dutyBand = z
  .object({
    ...withExamples(
      {
        band: z.string().meta({ description: 'The letter of EN 300 220-2.' }),
        from: z.int().meta({ description: 'In Hz.' }),
        to: z.int().meta({ description: 'In Hz.' }),
        limit: z.number().meta({ description: 'The share of an hour that is allowed.' }),
        airtime_ms: z.number(),
      },
      { band: 'M', from: 868_000_000, to: 868_600_000, limit: 0.01, airtime_ms: 29687.808 },
    ),
    busiest_hour: z.object(
      withExamples(
        { time: z.string(), airtime_ms: z.number(), used },
        { time: '2026-02-28T09:00:00.000000Z', airtime_ms: 1236.992, used: 0.0344 },
      ),
    ),
  })
  .meta({ id: 'DutyCycleBand' })

const airtimeRecord = z
  .object({
    ...withExamples(
      {
        since: z.string(),
        until: z.string(),
        is_complete: z
          .boolean()
          .meta({ description: 'False where the range holds more uplinks than are read.' }),
        uplinks: z.int(),
        airtime_ms: z.number(),
        untimed: z.int().meta({ description: 'Uplinks whose airtime is not known.' }),
      },
      {
        since: '2026-02-28T00:00:00.000000Z',
        until: '2026-03-01T00:00:00.000000Z',
        is_complete: true,
        uplinks: 144,
        airtime_ms: 29687.808,
        untimed: 0,
      },
    ),
    bands: z.array(dutyBand),
    hours: z.array(airtimeHour),
  })
  .meta({ id: 'Airtime' })

export const showAirtime = endpoint({
  summary: 'How long a device was on the air, by the hour, and its duty cycle',
  description: `Of the uplinks with \`since\` <= \`event_time\` < \`until\` (the last 7 days unless said
otherwise), by hours of UTC; \`hours\` are the newest ${mostHours} with an uplink. The airtime is
computed from data rate and length (13 bytes around each payload, coding rate 4/5); of \`untimed\`
uplinks it is not known, because the network tells no data rate, or another one than LoRa's and
FSK's. Frames that never arrived, joins and repetitions that the network does not report took
airtime too, and are not in it.

\`bands\` are those of EU868 (${bandNames} of ETSI EN 300 220-2) that the device used; none where
its region is another one.

The newest ${most} uplinks of the range are read. If it holds more, \`is_complete\` is false and
\`since\` is the time of the first one that was read.`,
  examples: [{ name: 'a day', query: { since: '2026-02-28T00:00:00Z' } }],
  params: devicePath,
  query: z.object({ since: queryTime('since').optional(), until: queryTime('until').optional() }),
  answer: z.object({ data: airtimeRecord }),
  failures: [404],
  isLarge: true,
  async handle({ params, query, caller: { organizationId } }, { db, now }) {
    const until = query.until ?? now()
    const since = query.since ?? new Date(until.getTime() - week)
    if (since >= until) throw invalid({ since: ['The since must be before the until.'] })
    const device = await findHealthDevice(db, organizationId, readReference(params.device_id))
    if (!device) throw notFound('device not found')
    const read = await readSent(db, organizationId, device, { since, until })
    if (read === 'too_much') {
      throw invalid({ since: ['The range is too long to be read at once. Choose a shorter one.'] })
    }
    const sums = sumAirtime(read.sent ?? [], isUnderDutyCycle(device.app_region))
    const isComplete = read.count < mostSent
    const begin = isComplete || read.first === null ? since : new Date(read.first)
    return {
      data: {
        since: isoTimeOf(begin),
        until: isoTimeOf(until),
        is_complete: isComplete,
        uplinks: sums.uplinks,
        airtime_ms: toWholeMicroseconds(sums.airtime),
        untimed: sums.untimed,
        bands: sums.bands.map(toBand),
        hours: sums.hours.slice(-mostHours).map(toHour),
      },
    }
  },
})

function toBand({ band, airtime, busiest }: BandUse): z.infer<typeof dutyBand> {
  const { name, from, to, limit } = band
  return {
    band: name,
    from,
    to,
    limit,
    airtime_ms: toWholeMicroseconds(airtime),
    busiest_hour: {
      time: isoTimeOf(new Date(busiest.time)),
      airtime_ms: toWholeMicroseconds(busiest.airtime),
      used: usedOf(band, busiest.airtime),
    },
  }
}

function toHour({ time, uplinks, airtime, bands }: AirtimeHour): z.infer<typeof airtimeHour> {
  return {
    time: isoTimeOf(new Date(time)),
    uplinks,
    airtime_ms: toWholeMicroseconds(airtime),
    bands: dutyBands.flatMap((band) => {
      const sum = bands.get(band.name)
      if (sum === undefined) return []
      return { band: band.name, airtime_ms: toWholeMicroseconds(sum), used: usedOf(band, sum) }
    }),
  }
}
