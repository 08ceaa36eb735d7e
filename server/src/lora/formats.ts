import type { Language } from './languages.ts'

/*
 * How a person reads texts, numbers and times. Each user chooses, or reads as the organization does. The
 * console and mails write by it; the API always gives base units and UTC.
 */

export const formatChoices = {
  temperature: ['celsius', 'fahrenheit'],
  /** Of lengths, speeds, pressures, masses and volumes. */
  units: ['metric', 'us'],
  /** 1 Mar 2026, Mar 1, 2026, or 2026-03-01. */
  date: ['day_month', 'month_day', 'year_month'],
  time: ['24h', '12h'],
  /** 1,234.5, 1.234,5, or 1 234,5. */
  numbers: ['comma_point', 'point_comma', 'space_comma'],
  week_start: ['monday', 'sunday', 'saturday'],
} as const

type Choices = { [K in keyof typeof formatChoices]: (typeof formatChoices)[K][number] }

export type FormatName = keyof Choices

export interface Formats extends Choices {
  /** Null where nobody has chosen: the browser's, and English in mails. */
  language: Language | null
}

/** What a user has chosen; null is as the organization. */
export type OwnFormats = { [K in keyof Formats]: Formats[K] | null }

/** Some of them, as they are changed and stored. What is absent follows the language. */
export type SomeFormats = { [K in keyof Formats]?: Formats[K] | undefined }
export type SomeOwnFormats = { [K in keyof Formats]?: Formats[K] | null | undefined }

export const usualFormats: Formats = {
  temperature: 'celsius',
  units: 'metric',
  date: 'day_month',
  time: '24h',
  numbers: 'comma_point',
  week_start: 'monday',
  language: null,
}

/** Where people who read a language usually write otherwise. */
const usualIn: { [L in Language]?: Partial<Choices> } = {
  de: { numbers: 'point_comma' },
  fr: { numbers: 'space_comma' },
  es: { numbers: 'point_comma' },
  pt: { numbers: 'point_comma' },
  it: { numbers: 'point_comma' },
  nl: { numbers: 'point_comma' },
  pl: { numbers: 'space_comma' },
  ja: { date: 'year_month', week_start: 'sunday' },
  zh: { date: 'year_month' },
}

/** What a user has who never chose. */
export const asOrganization: OwnFormats = {
  temperature: null,
  units: null,
  date: null,
  time: null,
  numbers: null,
  week_start: null,
  language: null,
}

/** What an organization has, and which formats it never chose: they follow the reader's language. */
export interface OrganizationFormats extends Formats {
  by_language: FormatName[]
}

export function formatsOfOrganization(stored: SomeFormats): OrganizationFormats {
  const names = Object.keys(formatChoices) as FormatName[]
  const by_language = names.filter((name) => stored[name] === undefined)
  return { ...combineFormats({}, stored), by_language }
}

/**
 * The formats of a user in an organization: the user's own, then those that the organization has chosen,
 * then what is usual in the language. `browser` is the language where neither has chosen one.
 */
export function combineFormats(
  own: SomeOwnFormats,
  { by_language = [], ...organization }: SomeFormats & { by_language?: FormatName[] },
  browser: Language | null = null,
): Formats {
  const language = own.language ?? organization.language ?? browser
  const isChosen = ([, choice]: [string, unknown]) => choice !== null && choice !== undefined
  const ofOrganization = Object.entries(organization).filter(
    ([name]) => !by_language.includes(name as FormatName),
  )
  const chosen = [...ofOrganization, ...Object.entries(own)].filter(isChosen)
  return {
    ...usualFormats,
    ...usualIn[language ?? 'en'],
    ...Object.fromEntries(chosen),
    language,
  }
}

export const numberLocales = {
  comma_point: 'en-US',
  point_comma: 'de-DE',
  space_comma: 'fr-FR',
} as const
const dateLocales = { day_month: 'en-GB', month_day: 'en-US', year_month: 'en-CA' } as const

/** The formats that a time is written by; the names of months and days are in the language. */
export type TimeFormats = Pick<Formats, 'date' | 'time'> & Partial<Pick<Formats, 'language'>>

const numberFormats = new Map<string, Intl.NumberFormat>()
const timeFormats = new Map<string, Intl.DateTimeFormat>()

/** A format as it was made the first time: that costs more than to use it. */
function keep<Format>(kept: Map<string, Format>, key: string, make: () => Format): Format {
  const format = kept.get(key) ?? make()
  kept.set(key, format)
  return format
}

/**
 * A number with so many decimals. Where these are not known, it has six digits: codecs give
 * 21.700000762939453.
 */
export function writeNumber(
  value: number,
  decimals: number | null | undefined,
  { numbers }: Pick<Formats, 'numbers'>,
): string {
  const digits = decimals ?? decimalsOf(value)
  const format = keep(numberFormats, `${numbers} ${digits}`, () => {
    const [minimumFractionDigits, maximumFractionDigits] = [digits, digits]
    const options = {
      minimumFractionDigits,
      maximumFractionDigits,
      signDisplay: 'negative',
    } as const
    return new Intl.NumberFormat(numberLocales[numbers], options)
  })
  return format.format(value)
}

/** With how many decimals a number has six digits, and none of them is a 0 at the end. */
export function decimalsOf(value: number): number {
  const isLarge = Math.abs(value) >= 100_000
  const short = Number(isLarge ? value.toFixed(1) : value.toPrecision(6))
  const [, fraction = '', power = '0'] = /^-?\d+(?:\.(\d+))?(?:e(.+))?$/.exec(String(short)) ?? []
  return Math.min(20, Math.max(0, fraction.length - Number(power)))
}

/** What is written of a time. */
export interface TimeParts {
  /** `day` has no year, `month` no day, and `weekday` is "Sun 1". */
  date?: 'full' | 'day' | 'month' | 'year' | 'weekday'
  clock?: 'seconds' | 'minutes'
  /** With the name of the zone: "CET". */
  zone?: boolean
}

/** "1 Mar 2026, 12:59:07 CET". */
export function writeTime(
  time: Date | number,
  { date, clock, zone = false }: TimeParts,
  timeZone: string,
  formats: TimeFormats,
): string {
  const written = [
    date && formatOf(dateLocale(date, formats), dateOptions(date, formats), timeZone).format(time),
    clock &&
      formatOf(clockLocales[formats.time], clockOptions(clock, formats), timeZone).format(time),
  ].filter(Boolean)
  return `${written.join(', ')}${zone ? ` ${zoneName(time, timeZone, formats)}` : ''}`
}

/** Other languages than English have one order with names of months. */
function dateLocale(part: TimeParts['date'], { date, language }: TimeFormats): string {
  if ((language ?? 'en') === 'en') return part === 'weekday' ? 'en-GB' : dateLocales[date]
  const isNumeric = date === 'year_month' && (part === 'full' || part === 'day')
  return isNumeric ? dateLocales.year_month : String(language)
}

const clockLocales = { '24h': 'en-GB', '12h': 'en-US' } as const

function dateOptions(
  part: NonNullable<TimeParts['date']>,
  { date }: Pick<Formats, 'date'>,
): Intl.DateTimeFormatOptions {
  if (part === 'year') return { year: 'numeric' }
  if (part === 'month') return { month: 'short', year: 'numeric' }
  if (part === 'weekday') return { weekday: 'short', day: 'numeric' }
  const month = date === 'year_month' ? '2-digit' : 'short'
  const day = date === 'year_month' ? '2-digit' : 'numeric'
  return { day, month, ...(part === 'full' && { year: 'numeric' }) }
}

function clockOptions(
  part: NonNullable<TimeParts['clock']>,
  { time }: Pick<Formats, 'time'>,
): Intl.DateTimeFormatOptions {
  const hour = time === '24h' ? '2-digit' : 'numeric'
  return { hour, minute: '2-digit', ...(part === 'seconds' && { second: '2-digit' }) }
}

function zoneName(time: Date | number, timeZone: string, { language }: TimeFormats): string {
  const locale = !language || language === 'en' ? 'en-GB' : language
  const format = formatOf(locale, { timeZoneName: 'short' }, timeZone)
  return format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

function formatOf(
  locale: string,
  options: Intl.DateTimeFormatOptions,
  timeZone: string,
): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`
  return keep(timeFormats, key, () => new Intl.DateTimeFormat(locale, { ...options, timeZone }))
}
