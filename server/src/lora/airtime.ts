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
