import { airtimeOf } from '../../lora/airtime.ts'
import { type DutyBand, dutyBandOf } from '../../lora/duty-cycle.ts'
import type { SentAlike } from './airtime-queries.ts'

/** The airtime of a device by the hour, and how much of its duty cycle that is. */

const hourMs = 3_600_000

export interface AirtimeHour {
  /** Milliseconds. */
  time: number
  uplinks: number
  /** Milliseconds, as all airtimes here. */
  airtime: number
  /** By name of the band. */
  bands: Map<string, number>
}

export interface BandUse {
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
export function sumAirtime(sent: readonly SentAlike[], isUnderDutyCycle: boolean): AirtimeSums {
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
export function usedOf({ limit }: DutyBand, airtime: number): number {
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
