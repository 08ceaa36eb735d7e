/**
 * How much of an hour a device may send in EU868: the sub-bands of ETSI EN 300 220-2 V3.1.1, table
 * B.1, by its letters, for devices that neither listen before they talk nor adapt their frequency.
 * The space between the bands is for alarms. It has no LoRaWAN channel.
 */

export interface DutyBand {
  name: string
  /** Hz, included. */
  from: number
  /** Hz, not included. */
  to: number
  /** The share of the time, 0 to 1. */
  limit: number
}

export const dutyBands: readonly DutyBand[] = [
  { name: 'K', from: 863_000_000, to: 865_000_000, limit: 0.001 },
  { name: 'L', from: 865_000_000, to: 868_000_000, limit: 0.01 },
  { name: 'M', from: 868_000_000, to: 868_600_000, limit: 0.01 },
  { name: 'N', from: 868_700_000, to: 869_200_000, limit: 0.001 },
  { name: 'P', from: 869_400_000, to: 869_650_000, limit: 0.1 },
  { name: 'R', from: 869_700_000, to: 870_000_000, limit: 0.01 },
]

/** Whether the bands apply to a device. Without a region, its frequencies tell. */
export function isUnderDutyCycle(region: string | null): boolean {
  return region === null || region === '' || region.toUpperCase() === 'EU868'
}

/** Returns the band of a frequency in Hz. */
export function dutyBandOf(frequency: number | null): DutyBand | undefined {
  if (frequency === null) return undefined
  return dutyBands.find(({ from, to }) => frequency >= from && frequency < to)
}
