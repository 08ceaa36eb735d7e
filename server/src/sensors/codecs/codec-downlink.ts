import type { CodecOutcome } from './codec.ts'
import { cut, noObject, parseObject, texts } from './codec-reading.ts'

/** The checked result of `encodeDownlink`. */
interface CodecDownlink {
  bytes: Uint8Array
  /** Undefined when the codec leaves the choice to the sender. */
  fPort: number | undefined
  warnings: string[]
}

/** The longest LoRaWAN payload, at the fastest data rates (RP002-1.0.4, 2.5 to 2.14). */
const longestDownlink = 242
/** The highest port for applications (LoRaWAN L2 1.0.4, 4.3.2). */
export const highestPort = 223
const mostWarnings = 20

/** Reads the outcome of `encodeDownlink`; `error` is a message for the user who entered the data. */
export function readDownlink(outcome: CodecOutcome): CodecDownlink | { error: string } {
  if (!outcome.ok) return { error: outcome.message }
  const result = parseObject(outcome.text)
  if (!result) return { error: noObject }
  const errors = texts(result.errors)
  if (errors.length > 0) return { error: errors.slice(0, mostWarnings).map(cut).join(' ') }
  const { bytes, fPort } = result
  if (!isFrame(bytes)) {
    return { error: `The codec gave no list of 1 to ${longestDownlink} bytes from 0 to 255.` }
  }
  if (!isAbsent(fPort) && !isPort(fPort)) {
    return { error: `The codec gave a port that is none from 1 to ${highestPort}.` }
  }
  return {
    bytes: Uint8Array.from(bytes),
    fPort: isPort(fPort) ? fPort : undefined,
    warnings: texts(result.warnings).slice(0, mostWarnings).map(cut),
  }
}

function isFrame(bytes: unknown): bytes is number[] {
  if (!Array.isArray(bytes)) return false
  const isByte = (byte: unknown) => Number.isInteger(byte) && isBetween(Number(byte), 0, 255)
  return isBetween(bytes.length, 1, longestDownlink) && bytes.every(isByte)
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

export function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && isBetween(value, 1, highestPort)
}

function isBetween(value: number, lowest: number, highest: number): boolean {
  return value >= lowest && value <= highest
}
