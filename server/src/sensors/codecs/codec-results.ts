import type { Reading, ReadingValue } from '../sensor.ts'
import type { CodecOutcome } from './codec.ts'

/** The checked result of `decodeUplink` or `decodeDownlink`. */
interface CodecResult {
  data: Record<string, ReadingValue>
  warnings: string[]
}

/** The most levels of nested objects and lists; PostgreSQL fails beyond some thousands. */
const deepest = 32
/** Characters of the description and of each line of the message. */
const longestText = 200
const mostLines = 200
const mostWarnings = 50
/** The most zeros from exponents: PostgreSQL writes them out, so 1e308 takes 309 digits. */
const mostZeros = 64 * 1024

/** The error for a result that is JSON but not an object. */
export const noObject = 'The codec gave no object.'

/** Reads the outcome of `decodeUplink` or `decodeDownlink`. */
export function readResult(outcome: CodecOutcome): CodecResult | { error: string } {
  if (!outcome.ok) return { error: outcome.message }
  const result = parseObject(outcome.text)
  if (!result) return { error: noObject }
  const errors = texts(result.errors)
  if (errors.length > 0) return { error: errors.join(' ') }
  const { data } = result
  if (!isObject(data)) return { error: 'The codec returned no object as data.' }
  if (hasTooManyZeros(outcome.text)) return { error: 'The data has too many huge or tiny numbers.' }
  if (!isShallow(data)) return { error: `The data has more than ${deepest} levels.` }
  const nulls = texts(result.nulls).map((fault) => `${fault} and is kept as null.`)
  return { data: cleanObject(data), warnings: [...texts(result.warnings), ...nulls] }
}

/**
 * Makes the reading of a frame. The description is the text `eventDescription` of the data, or the
 * values where the data has none.
 */
export function readingOf({ data, warnings }: CodecResult): Reading {
  const { eventDescription, ...values } = data
  const said = Object.entries(values).flatMap(([name, value]) => linesOf(name, value))
  const told = warnings.slice(0, mostWarnings).map((text) => `Warning: ${text}`)
  const description =
    typeof eventDescription === 'string' && eventDescription !== ''
      ? eventDescription
      : said.join(', ') || 'No data.'
  const lines = [...(said.length > 0 ? said.slice(0, mostLines) : [description]), ...told]
  return {
    event: 'DECODED',
    description: cut(description),
    sequence: [],
    values,
    lines: lines.map(cut),
    status: {},
  }
}

/** Makes the reading of a frame that the codec could not decode. */
export function unreadable(error: string): Reading {
  const description = cut(storable(error))
  return {
    event: 'UNKNOWN',
    description,
    sequence: [],
    values: {},
    lines: [description],
    status: {},
  }
}

/** Searches the text, which is shorter than the values can be. */
function hasTooManyZeros(text: string): boolean {
  let zeros = 0
  for (const [, exponent] of text.matchAll(/\de[+-](\d{1,3})/g)) zeros += Number(exponent)
  return zeros > mostZeros
}

/** Whether the value has at most the levels that can be stored. */
export function isShallow(value: unknown): boolean {
  return reaches(value, 0)
}

function reaches(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth < deepest && Object.values(value).every((item) => reaches(item, depth + 1))
}

/** What `normalizeUplink` gave: one measurement or several; none where it failed. */
export function readNormalized(outcome: CodecOutcome): Record<string, ReadingValue>[] {
  const data = outcome.ok ? parseObject(outcome.text)?.data : undefined
  return [data].flat().filter(isObject).filter(isShallow)
}

/** What the codec returned, without what the sandbox says of it; undefined for no object. */
export function parseOutput(text: string): Record<string, unknown> | undefined {
  const { nulls, ...output } = parseObject(text) ?? {}
  return Object.keys(output).length > 0 || text === '{}' ? output : undefined
}

/** Parses JSON; undefined for anything but an object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : undefined
}

function isObject<T>(value: T): value is T & Record<string, ReadingValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads `errors` or `warnings`: lists of texts in TS013; codecs also give single texts and other values. */
function texts(value: unknown): string[] {
  if (value === undefined || value === null || value === '') return []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.map((item) => storable(typeof item === 'string' ? item : JSON.stringify(item)))
}

/** The value as PostgreSQL can store it. Its levels are few. */
function clean(value: ReadingValue): ReadingValue {
  if (typeof value === 'string') return storable(value)
  if (Array.isArray(value)) return value.map(clean)
  return isObject(value) ? cleanObject(value) : value
}

function cleanObject(object: Record<string, ReadingValue>): Record<string, ReadingValue> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [storable(name), clean(value)]),
  )
}

/** Replaces what PostgreSQL can not store: NUL and lone surrogates. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed()
}

function linesOf(name: string, value: ReadingValue): string[] {
  if (!isObject(value)) return [`${name}: ${Array.isArray(value) ? JSON.stringify(value) : value}`]
  return Object.entries(value).flatMap(([inner, item]) => linesOf(`${name}.${inner}`, item))
}

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText - 3).toWellFormed()}...`
}

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
const mostWarningsOfDownlink = 20

/** Reads the outcome of `encodeDownlink`; `error` is a message for the user who entered the data. */
export function readDownlink(outcome: CodecOutcome): CodecDownlink | { error: string } {
  if (!outcome.ok) return { error: outcome.message }
  const result = parseObject(outcome.text)
  if (!result) return { error: noObject }
  const errors = texts(result.errors)
  if (errors.length > 0)
    return { error: errors.slice(0, mostWarningsOfDownlink).map(cut).join(' ') }
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
    warnings: texts(result.warnings).slice(0, mostWarningsOfDownlink).map(cut),
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
