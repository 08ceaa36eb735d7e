import type { Reading, ReadingValue } from '../sensor.ts'
import type { CodecOutcome } from './codec.ts'

/** What a codec made of a frame, once it is known to be what TS013 asks for. */
interface CodecResult {
  data: Record<string, ReadingValue>
  warnings: string[]
}

/** Levels of objects and lists in each other; the database gives up beyond some thousands. */
const deepest = 32
/** Of the description and of each line of the message. */
const longestText = 200
const mostLines = 200
const mostWarnings = 50
/** The zeros that the database writes where JSON has an exponent: 1e308 is 309 digits there. */
const mostZeros = 64 * 1024

/** What is said of an answer that is JSON, and no object. */
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
  return { data: cleanObject(data), warnings: texts(result.warnings) }
}

/**
 * The reading of a frame. Where the data has a text `eventDescription` of its own, that is the
 * description; else the values themselves are.
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

/** The reading of a frame that nothing could be made of, and why. */
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

/** Read from the text, which is short, rather than from the values, of which there may be many. */
function hasTooManyZeros(text: string): boolean {
  let zeros = 0
  for (const [, exponent] of text.matchAll(/\de[+-](\d{1,3})/g)) zeros += Number(exponent)
  return zeros > mostZeros
}

/** Whether the value is nested no deeper than what is kept. */
export function isShallow(value: unknown): boolean {
  return reaches(value, 0)
}

function reaches(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth < deepest && Object.values(value).every((item) => reaches(item, depth + 1))
}

/** The object that the JSON is, undefined when it is anything else. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : undefined
}

function isObject<T>(value: T): value is T & Record<string, ReadingValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `errors` and `warnings` are lists of text; codecs give single texts and other things as well. */
export function texts(value: unknown): string[] {
  if (value === undefined || value === null || value === '') return []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.map((item) => storable(typeof item === 'string' ? item : JSON.stringify(item)))
}

/** The value as the database holds it, of a few levels only. */
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

/** The database holds neither NUL nor half of a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed()
}

function linesOf(name: string, value: ReadingValue): string[] {
  if (!isObject(value)) return [`${name}: ${Array.isArray(value) ? JSON.stringify(value) : value}`]
  return Object.entries(value).flatMap(([inner, item]) => linesOf(`${name}.${inner}`, item))
}

export function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText - 3).toWellFormed()}...`
}
