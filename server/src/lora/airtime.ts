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

/**
 * How long an uplink is on the air. LoRa by Semtech's AN1200.13 (LoRa Modem Designer's Guide, 4),
 * with what LoRaWAN fixes for uplinks: 8 symbols of preamble, an explicit header, a CRC, coding rate
 * 4/5 (RP002, 2). FSK by the fields of its frame: preamble, sync word, length and CRC.
 */

/**
 * Bytes around the payload: MHDR 1, DevAddr 4, FCtrl 1, FCnt 2, FPort 1, MIC 4 (LoRaWAN 1.0.4, 4).
 * MAC commands in the header would come on top; no network tells them.
 */
export const frameOverhead = 13

/** For networks that give only the spreading factor. */
const usualBandwidth = 125

const preambleSymbols = 8
/** Of these, four carry 4 bits each: the coding rate 4/5. */
const codedSymbols = 5
/** Milliseconds. Longer symbols are sent with the low data rate optimisation. */
const longestPlainSymbol = 16

/**
 * Returns the milliseconds of an uplink with this payload. The data rate is as networks name it:
 * `SF9BW125`, `SF9`, `FSK50`. Of others, such as LR-FHSS, it is not known.
 */
export function airtimeOf(dataRate: string | null, payloadBytes: number): number | undefined {
  const bytes = payloadBytes + frameOverhead
  const [, factor, bandwidth] = /^SF([5-9]|1[0-2])(?:BW([1-9]\d{1,3}))?$/.exec(dataRate ?? '') ?? []
  if (factor !== undefined) {
    return loraAirtime(Number(factor), Number(bandwidth ?? usualBandwidth), bytes)
  }
  const [, bitRate] = /^FSK([1-9]\d{0,2})$/.exec(dataRate ?? '') ?? []
  return bitRate === undefined ? undefined : fskAirtime(Number(bitRate), bytes)
}

/** The bandwidth in kHz, and all bytes of the frame. Returns milliseconds. */
export function loraAirtime(spreadingFactor: number, bandwidth: number, bytes: number): number {
  const symbol = 2 ** spreadingFactor / bandwidth
  const bitsOfSymbol = spreadingFactor - (symbol > longestPlainSymbol ? 2 : 0)
  const bits = 8 * bytes - 4 * spreadingFactor + 28 + 16
  const blocks = Math.max(Math.ceil(bits / (4 * bitsOfSymbol)), 0)
  return (preambleSymbols + 4.25 + 8 + blocks * codedSymbols) * symbol
}

/** The bit rate in kbit/s, and all bytes of the frame. Returns milliseconds. */
export function fskAirtime(bitRate: number, bytes: number): number {
  const [preamble, syncWord, length, crc] = [5, 3, 1, 2]
  return ((preamble + syncWord + length + bytes + crc) * 8) / bitRate
}

/** Sums of fractions of a millisecond have digits that mean nothing. */
export function toWholeMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}
