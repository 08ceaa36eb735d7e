import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTimeOf } from '../../../http/timestamps.ts'
import { countFrames, type FrameCounts, type Restart } from './frame-losses.ts'
import {
  type HearingGateway,
  mostFrames,
  type RadioRange,
  type RadioReadings,
  type SignalPart,
} from './radio-queries.ts'

export const signalRecord = z
  .object({ min: z.number(), max: z.number(), average: z.number() })
  .meta({ id: 'SignalRange', examples: [{ min: -118, max: -97, average: -108.4 }] })

const rateRecord = z
  .object(
    withExamples(
      { data_rate: z.string().nullable(), uplinks: z.int() },
      { data_rate: 'SF9BW125', uplinks: 12 },
    ),
  )
  .meta({ id: 'DataRateCount' })

const radioPoint = z
  .object({
    ...withExamples(
      {
        time: z.string().meta({ description: 'When the part of the range begins.' }),
        received: z.int(),
        lost: z.int(),
      },
      { time: '2026-02-28T00:00:00.000000Z', received: 12, lost: 1 },
    ),
    rssi: signalRecord.nullable(),
    snr: signalRecord.nullable(),
    data_rates: z.array(rateRecord),
  })
  .meta({ id: 'RadioPoint' })

const hearingGateway = z
  .object(
    withExamples(
      {
        gateway_eui: z.string(),
        id: z.int().nullable(),
        name: z.string().nullable(),
        uplinks: z.int(),
        best_rssi: z.number().nullable(),
        average_rssi: z.number().nullable(),
        best_snr: z.number().nullable(),
        average_snr: z.number().nullable(),
        first_heard: z.string(),
        last_heard: z.string(),
        lat: z.number().nullable(),
        lng: z.number().nullable(),
      },
      {
        gateway_eui: '00AA0000000000F1',
        id: 7,
        name: 'Roof',
        uplinks: 12,
        best_rssi: -97,
        average_rssi: -108.4,
        best_snr: 7.5,
        average_snr: 2.25,
        first_heard: '2026-02-28T00:04:11.120000Z',
        last_heard: '2026-02-28T23:54:10.480000Z',
        lat: 52.25,
        lng: 4.875,
      },
    ),
  )
  .meta({ id: 'HearingGateway' })

const restartRecord = z
  .object(
    withExamples(
      { time: z.string(), reason: z.enum(['join', 'restart', 'wrap']) },
      { time: '2026-02-28T09:00:00.000000Z' },
    ),
  )
  .meta({ id: 'CounterRestart' })

/** How the frames of a device arrived in a range of time. */
export const radioRecord = z
  .object({
    ...withExamples(
      {
        since: z.string(),
        until: z.string(),
        is_complete: z
          .boolean()
          .meta({ description: 'False where the range holds more uplinks than are read.' }),
        received: z.int(),
        lost: z.int(),
        loss: z.number().nullable().meta({ description: 'Lost of all sent frames, 0 to 1.' }),
        repeated: z.int(),
      },
      {
        since: '2026-02-28T00:00:00.000000Z',
        until: '2026-03-01T00:00:00.000000Z',
        is_complete: true,
        received: 12,
        lost: 1,
        loss: 0.0769,
        repeated: 0,
      },
    ),
    restarts: z.array(restartRecord),
    points: z.array(radioPoint),
    data_rates: z.array(rateRecord),
    gateways: z.array(hearingGateway),
  })
  .meta({ id: 'Radio' })

type RadioRecord = z.infer<typeof radioRecord>

/** The newest ones, which bounds the answer. */
const mostRestarts = 100

export function toRadioRecord(
  range: RadioRange,
  readings: RadioReadings,
  joins: readonly number[],
): RadioRecord {
  const frames = parseFrames(readings.frames)
  const since = range.since.getTime()
  const partOf = (time: number) => Math.floor((time - since) / range.width)
  const { parts, restarts } = countFrames(frames, joins, partOf)
  const isComplete = readings.count < mostFrames
  const total = sumOf([...parts.values()])
  const sent = total.received + total.lost
  return {
    since: isoTimeOf(new Date(isComplete ? since : (frames[0]?.time ?? since))),
    until: isoTimeOf(range.until),
    is_complete: isComplete,
    ...total,
    loss: sent === 0 ? null : total.lost / sent,
    restarts: restarts.slice(-mostRestarts).map(toRestart),
    points: toPoints(range, readings, parts),
    data_rates: toRates(readings.rates ?? []),
    gateways: (readings.gateways ?? []).map(toGateway),
  }
}

function parseFrames(text: string | null) {
  if (text === null) return []
  return text.split(',').map((frame) => {
    const [fCnt, time] = frame.split(' ')
    return { fCnt: Number(fCnt), time: Number(time) }
  })
}

function sumOf(parts: readonly FrameCounts[]): FrameCounts {
  const total = { received: 0, lost: 0, repeated: 0 }
  for (const part of parts) {
    total.received += part.received
    total.lost += part.lost
    total.repeated += part.repeated
  }
  return total
}

function toRestart({ time, reason }: Restart): RadioRecord['restarts'][number] {
  return { time: isoTimeOf(new Date(time)), reason }
}

function toPoints(
  range: RadioRange,
  { signals, rates }: RadioReadings,
  parts: ReadonlyMap<number, FrameCounts>,
): RadioRecord['points'] {
  const ratesByPart = Map.groupBy(rates ?? [], ({ part }) => part)
  return (signals ?? []).map((signal) => {
    const { received = 0, lost = 0 } = parts.get(signal.part) ?? {}
    return {
      time: isoTimeOf(new Date(range.since.getTime() + signal.part * range.width)),
      received,
      lost,
      rssi: rangeOf(signal, 'rssi'),
      snr: rangeOf(signal, 'snr'),
      data_rates: toRates(ratesByPart.get(signal.part) ?? []),
    }
  })
}

function rangeOf(signal: SignalPart, name: 'rssi' | 'snr') {
  const [min, max] = [signal[`min_${name}`], signal[`max_${name}`]]
  const average = signal[`average_${name}`]
  return min === null || max === null || average === null ? null : { min, max, average }
}

/** Counts of the same rate are added; the most frequent rate is first. */
function toRates(
  rates: readonly { data_rate: string | null; uplinks: number }[],
): RadioRecord['data_rates'] {
  const counts = new Map<string | null, number>()
  for (const { data_rate, uplinks } of rates) {
    counts.set(data_rate, (counts.get(data_rate) ?? 0) + uplinks)
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([data_rate, uplinks]) => ({ data_rate, uplinks }))
}

function toGateway(gateway: HearingGateway): RadioRecord['gateways'][number] {
  return {
    gateway_eui: gateway.gateway_eui,
    id: gateway.id,
    name: gateway.name,
    uplinks: gateway.uplinks,
    best_rssi: gateway.best_rssi,
    average_rssi: gateway.average_rssi,
    best_snr: gateway.best_snr,
    average_snr: gateway.average_snr,
    first_heard: isoTimeOf(new Date(gateway.first_heard)),
    last_heard: isoTimeOf(new Date(gateway.last_heard)),
    lat: gateway.lat,
    lng: gateway.lng,
  }
}
