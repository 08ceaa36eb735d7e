import { setImmediate as nextTurn } from 'node:timers/promises'
import { airtimeOf } from '../../../lora/airtime.ts'
import { countFrames, type FrameCounts } from '../device-health/frame-losses.ts'
import { type CoverageFrame, parseFrame } from './frame-queries.ts'

/** Sums of what many devices sent, for each part of a range. */

export interface Spread {
  min: number
  max: number
  sum: number
  count: number
}

export interface RateSum {
  uplinks: number
  /** Milliseconds. */
  airtime: number
}

export interface PartSums extends FrameCounts {
  uplinks: number
  airtime: number
  /** Uplinks whose data rate does not tell how long they took. */
  untimed: number
  rssi: Spread
  snr: Spread
  rates: Map<string | null, RateSum>
}

export interface RadioSums {
  parts: Map<number, PartSums>
  devices: number
}

/**
 * Adds up the frames by parts of `width` milliseconds. Of a gateway, its own frames count as
 * uplinks, and those that it heard best as received: a gap counts for the gateway that heard the
 * frame after it best, so the losses of all gateways are those of the network.
 */
export async function sumFrames(
  portions: readonly string[],
  { since, width }: { since: number; width: number },
): Promise<RadioSums> {
  const sums: RadioSums = { parts: new Map(), devices: 0 }
  const partOf = (time: number) => Math.floor((time - since) / width)
  for (const portion of portions) {
    for (const frames of byDevice(portion)) {
      addSignals(sums, frames, partOf)
      addLosses(sums, frames, partOf)
    }
    await nextTurn()
  }
  return sums
}

/** The frames of each device in turn. */
function* byDevice(portion: string): Generator<CoverageFrame[]> {
  let frames: CoverageFrame[] = []
  for (const line of portion.split('\n')) {
    const frame = parseFrame(line)
    if (frames[0] && frames[0].deviceId !== frame.deviceId) {
      yield frames
      frames = []
    }
    frames.push(frame)
  }
  yield frames
}

type PartOf = (time: number) => number

function addSignals(sums: RadioSums, frames: readonly CoverageFrame[], partOf: PartOf): void {
  const heard = frames.filter(({ isHeard }) => isHeard)
  if (heard.length > 0) sums.devices += 1
  for (const frame of heard) {
    const part = partAt(sums.parts, partOf(frame.time))
    const airtime = airtimeOf(frame.dataRate, frame.payloadBytes)
    part.uplinks += 1
    part.airtime += airtime ?? 0
    if (airtime === undefined) part.untimed += 1
    addTo(part.rssi, frame.rssi)
    addTo(part.snr, frame.snr)
    addRate(part.rates, frame.dataRate, { uplinks: 1, airtime: airtime ?? 0 })
  }
}

/** The part of frames that count for other gateways. */
const elsewhere = -1

/**
 * Joins are not read: those of all devices would cost more than the uplinks. A counter begins again
 * at a smaller number, which shows without them.
 */
function addLosses(sums: RadioSums, frames: readonly CoverageFrame[], partOf: PartOf): void {
  const place = (time: number, { isBest }: CoverageFrame) => (isBest ? partOf(time) : elsewhere)
  const { parts } = countFrames(frames, [], place)
  for (const [index, { received, lost, repeated }] of parts) {
    if (index === elsewhere) continue
    const part = partAt(sums.parts, index)
    part.received += received
    part.lost += lost
    part.repeated += repeated
  }
}

function partAt(parts: Map<number, PartSums>, index: number): PartSums {
  const known = parts.get(index)
  if (known) return known
  const none = { uplinks: 0, airtime: 0, untimed: 0, received: 0, lost: 0, repeated: 0 }
  const part = { ...none, rssi: noSpread(), snr: noSpread(), rates: new Map() }
  parts.set(index, part)
  return part
}

function noSpread(): Spread {
  return { min: Infinity, max: -Infinity, sum: 0, count: 0 }
}

function addTo(spread: Spread, value: number | undefined): void {
  if (value === undefined) return
  spread.min = Math.min(spread.min, value)
  spread.max = Math.max(spread.max, value)
  spread.sum += value
  spread.count += 1
}

export function addRate(
  rates: Map<string | null, RateSum>,
  dataRate: string | null,
  { uplinks, airtime }: RateSum,
): void {
  const known = rates.get(dataRate)
  if (known) {
    known.uplinks += uplinks
    known.airtime += airtime
  } else {
    rates.set(dataRate, { uplinks, airtime })
  }
}
