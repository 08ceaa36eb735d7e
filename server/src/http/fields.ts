import { z } from 'zod'
import { type FieldErrors, invalid } from './errors.ts'

/**
 * Building blocks of request schemas with the API's messages. `label` is the name of the field for
 * people (`device name`). `.meta()` tells the API reference what a check by a function requires.
 */

const longestText = 255
/** The largest value of the database's `integer`; larger ids do not exist. */
export const largestInteger = 2_147_483_647

function missingOr(label: string, otherwise: string) {
  return (issue: { input?: unknown }) =>
    issue.input === undefined || issue.input === null
      ? `The ${label} field is required.`
      : `The ${label} must be ${otherwise}.`
}

/** One line that is not blank, such as a name. */
export function requiredText(label: string, maximum = longestText) {
  return requiredLines(label, maximum)
    .refine(isLineIfStorable, notOneLine(label))
    .meta({ minLength: 1 })
}

/** The same with several lines, such as a description, or with any blanks around it. */
export function requiredLines(label: string, maximum = longestText) {
  return z
    .string({ error: missingOr(label, 'a string') })
    .refine((text) => text.trim() !== '', { error: `The ${label} field is required.`, abort: true })
    .refine(isStorable, `The ${label} contains a character that is not allowed.`)
    .max(maximum, `The ${label} may not be greater than ${maximum} characters.`)
    .meta({ minLength: 1 })
}

export function optionalText(label: string, maximum = longestText) {
  return text(label, maximum).refine(isLineIfStorable, notOneLine(label)).nullish()
}

/** Text that may have several lines, such as a note. */
export function optionalLines(label: string, maximum = longestText) {
  return text(label, maximum).nullish()
}

function text(label: string, maximum: number) {
  return z
    .string({ error: `The ${label} must be a string.` })
    .refine(isStorable, `The ${label} contains a character that is not allowed.`)
    .max(maximum, `The ${label} may not be greater than ${maximum} characters.`)
}

/**
 * Ends of lines, other control characters, and marks that change the direction of text (Unicode Standard
 * Annex 9): in a list, a log or a mail, a name with them looks like another one or like several lines.
 */
const misleading = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+/gu

/** Whether the text can be a name. */
export function isOneLine(text: string): boolean {
  return text.search(misleading) === -1
}

/** A name that comes from elsewhere, with blanks in place of what a name may not have. */
export function toOneLine(text: string): string {
  return isOneLine(text) ? text : text.replace(misleading, ' ').trim()
}

export function notOneLine(label: string): string {
  return `The ${label} must be one line, without control characters and marks of text direction.`
}

/** A value that cannot be stored has a message of its own. */
function isLineIfStorable(text: string): boolean {
  return isOneLine(text) || !isStorable(text)
}

export function requiredInteger(label: string) {
  const message = missingOr(label, 'an integer')
  return z
    .number({ error: message })
    .int(`The ${label} must be an integer.`)
    .min(-largestInteger, `The ${label} is out of range.`)
    .max(largestInteger, `The ${label} is out of range.`)
}

/** The id in a path. Text that cannot be an id becomes 0, which no row has. */
export function pathId(example: string) {
  return z
    .string()
    .transform((text) => {
      const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
      return id <= largestInteger ? id : 0
    })
    .meta({ examples: [example] })
}

export function optionalBoolean(label: string) {
  return z.boolean({ error: `The ${label} must be true or false.` }).nullish()
}

/** Text of exactly `length` characters. */
export function textOfLength(label: string, length: number) {
  const sentence = `The ${label} must be ${length} characters`
  return requiredText(label)
    .refine((text) => text.length === length, {
      // Labels print keys with separators: the length alone would not explain the fault.
      error: ({ input }) =>
        isSeparated(input) ? `${sentence}, without dashes and colons.` : `${sentence}.`,
      abort: true,
    })
    .meta({ minLength: length, maxLength: length })
}

/** Bytes in hexadecimal with dashes or colons between them. */
function isSeparated(text: unknown): boolean {
  return typeof text === 'string' && /^[0-9a-f]{2}([-:][0-9a-f]{2})+$/i.test(text)
}

/** Hexadecimal text of exactly `length` digits. The length is checked first. */
export function hexadecimal(label: string, length: number) {
  return textOfLength(label, length)
    .refine(isHexadecimal, notHexadecimal(label))
    .meta({ minLength: length, maxLength: length, pattern: '^[0-9a-fA-F]*$' })
}

export function isHexadecimal(text: string): boolean {
  return /^[0-9a-fA-F]*$/.test(text)
}

export function notHexadecimal(label: string): string {
  return `The ${label} must contain hexadecimal characters only.`
}

/** One of several words, in any case. */
export function wordOf<const T extends readonly [string, ...string[]]>(label: string, words: T) {
  return requiredText(label)
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(words, { error: `The ${label} must be one of: ${words.join(', ')}.` }))
}

/** An integer in the query; `fallback` when it is not sent. */
export function queryInteger(
  label: string,
  limits: { min: number; max?: number; fallback: number },
) {
  const { min, max, fallback } = limits
  const sentence =
    max === undefined
      ? `The ${label} must be an integer of at least ${min}.`
      : `The ${label} must be an integer from ${min} to ${max}.`
  return z
    .string({ error: sentence })
    .refine((text) => /^\d+$/.test(text) && isBetween(Number(text), min, max ?? Infinity), {
      error: sentence,
      abort: true,
    })
    .refine((text) => Number(text) <= largestInteger, `The ${label} is out of range.`)
    .optional()
    .transform((text) => (text === undefined ? fallback : Number(text)))
    .meta({
      type: 'integer',
      minimum: min,
      maximum: max ?? largestInteger,
      ...(fallback < min ? {} : { default: fallback }),
    })
}

const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/
const latestTime = Date.UTC(9999, 11, 31)

/** A time in the query, from 1970 on: ISO 8601, a date (its beginning in UTC), or milliseconds as Grafana's. */
export function queryTime(label: string) {
  const sentence = `The ${label} must be a time such as 2026-02-28T12:00:00Z.`
  return z
    .string({ error: sentence })
    .refine((sent) => {
      const text = toTimeText(sent)
      return isTime(text) && isBetween(Date.parse(text), 0, latestTime)
    }, sentence)
    .transform((text) => new Date(toTimeText(text)))
    .meta({ type: 'string', format: 'date-time' })
}

/** An address that does not encode the `+` of an offset has a blank in its place. */
function toTimeText(text: string): string {
  const moment = new Date(/^\d{11,15}$/.test(text) ? Number(text) : Number.NaN)
  if (!Number.isNaN(moment.getTime())) return moment.toISOString()
  return text.replace(/(T[\d:.]+) (?=\d{2}:\d{2}$)/, '$1+')
}

/** JavaScript reads February 30 as March 2. */
function isTime(text: string): boolean {
  const day = text.slice(0, 10)
  const date = new Date(iso.test(text) ? day : Number.NaN)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

function isBetween(value: number, lowest: number, highest: number): boolean {
  return value >= lowest && value <= highest
}

/** One of several words in the query. */
export function queryChoice<const T extends readonly [string, ...string[]]>(
  label: string,
  choices: T,
) {
  return z.enum(choices, { error: `The ${label} must be one of: ${choices.join(', ')}.` })
}

/** `page` and `itemsPerPage` of every list. */
export const pageQuery = {
  page: queryInteger('page', { min: 1, fallback: 1 }),
  itemsPerPage: queryInteger('items per page', { min: 1, max: 1000, fallback: 10 }),
}

export const sortOrder = queryChoice('sort order', ['asc', 'desc']).default('asc')

/** Search text; empty when it is not sent. */
export function searchText(label = 'search') {
  return z
    .string({ error: `The ${label} must be a string.` })
    .max(longestText, `The ${label} may not be greater than ${longestText} characters.`)
    .refine(isStorable, `The ${label} contains a character that is not allowed.`)
    .default('')
}

/** The database stores neither NUL nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

/** Reads `value` by `schema`, or throws the 422 that names every wrong field. */
export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (!result.success) throw invalid(fieldErrors(result.error))
  return result.data
}

/** Messages by field; a nested field is named `outer.inner`. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of error.issues) {
    const field = issue.path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), issue.message]
  }
  return errors
}

/** The name of a time zone in a body. */
export const timeZoneName = requiredText('time zone', 64).refine(isTimeZone, {
  error: 'The time zone must be the name of one, such as Europe/Lisbon.',
})

/** A name that the platform knows. An offset such as `+02:00` is none: it has no summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
