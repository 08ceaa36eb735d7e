import { readArea } from './load.ts'
import { usedLanguage } from './text.ts'

/*
 * The service answers in English. Here the words of its own sensors, and its reasons of verdicts, come
 * into the language of the page (scripts/texts/service-texts.ts finds them). What people or networks
 * named stays as it is.
 */

interface Words {
  /** By the English text in small letters. */
  texts: Map<string, string>
  /** Texts with parts, such as `No message for {1}.` */
  patterns: { english: RegExp; text: string }[]
}

const loads = new Map<string, Promise<Words>>()

function load(area: 'sensors' | 'reasons'): Promise<Words> {
  const begun = loads.get(area) ?? readWords(area)
  loads.set(area, begun)
  begun.catch(() => loads.delete(area))
  return begun
}

async function readWords(area: string): Promise<Words> {
  const all = Object.entries(((await readArea(area)) ?? {}) as Record<string, string>)
  return {
    texts: new Map(all.map(([english, text]) => [english.toLowerCase(), text])),
    patterns: all
      .filter(([english]) => english.includes('{'))
      .map(([english, text]) => ({ english: patternOf(english), text })),
  }
}

function patternOf(english: string): RegExp {
  const pieces = english.split(/\{\d\}/).map((piece) => piece.replace(/[.()]/g, '\\$&'))
  return new RegExp(`^${pieces.join('(.*?)')}$`, 's')
}

/** What people name or write, which may be like a word of the service, and what goes back to it. */
const others = /device-types|catalogue|\/dashboards\/\{|notes|user/
const othersWithin: ReadonlySet<string> = new Set([
  ...['options', 'settings', 'widgets', 'decoded_object', 'tags', 'account', 'output', 'fields'],
])

type Answered = Record<string, unknown>

/** Ids of types that organizations made begin here. */
const firstOwnType = 100_000

/** Translates the words of an answer in it. */
export async function translateAnswer<Content>(
  operation: string,
  content: Content,
): Promise<Content> {
  if (typeof content !== 'object' || others.test(operation)) return content
  const words = [await load('sensors')]
  // The first page seldom needs them.
  if (hasSentences(content)) words.push(await load('reasons'))
  walk(content, (text) => say(text, words))
  return content
}

function hasSentences(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasSentences)
  const { action, event_type } = value as Answered
  return (
    typeof action === 'string' ||
    typeof event_type === 'string' ||
    Object.values(value).some(hasSentences)
  )
}

function walk(value: unknown, sayIt: (text: string) => string): void {
  if (Array.isArray(value)) for (const each of value) walk(each, sayIt)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const within = value as Answered
  if (typeIdOf(within) >= firstOwnType) return
  for (const [key, inner] of Object.entries(within)) {
    if (othersWithin.has(key)) continue
    if (typeof inner === 'string') within[key] = isSaid(key, within) ? sayIt(inner) : inner
    else walk(inner, sayIt)
  }
  joinParts(within, sayIt)
}

function typeIdOf({ device_type_id: id, device_type: type }: Answered): number {
  return Number(id ?? (type as Answered | undefined)?.id ?? 0)
}

function isSaid(key: string, within: Answered): boolean {
  const has = (...names: string[]) => names.some((name) => name in within)
  if (key === 'label') return has('name', 'key', 'measurement', 'quantity')
  if (key === 'text') return has('value', 'event_type') && !has('prefix')
  if (key === 'message' || key === 'action') return has('code') && has('action')
  return key === 'sensor_state'
}

/** A reading and its parts: "Tilted 12°", "Water detected". */
function joinParts(within: Answered, sayIt: (text: string) => string): void {
  const { prefix, value, text, parts } = within
  if (typeof text !== 'string') return
  if (prefix !== undefined) {
    const before = typeof prefix === 'string' ? prefix : ''
    const after = text.startsWith(before) ? text.slice(before.length) : text
    const said = before.trim() && `${sayIt(before.trim())} `
    within.prefix = prefix === null ? null : said
    within.text = typeof value === 'number' && prefix !== null ? said + after : sayIt(text)
  } else if (Array.isArray(parts)) {
    const texts = parts.map((part: Answered) => part.text)
    within.text = texts.length > 0 ? texts.join(' · ') : sayIt(text)
  }
}

function say(text: string, words: readonly Words[]): string {
  for (const { texts } of words) {
    const found = texts.get(text.toLowerCase())
    if (found !== undefined) return found
  }
  for (const { english, text: translated } of words.flatMap(({ patterns }) => patterns)) {
    const parts = english.exec(text)
    if (parts) {
      const filled = translated.replace(/\{(\d)\}/g, (_, at) => sayPart(parts[at] ?? '', words))
      // Some languages shorten units by a full stop.
      return filled.replace('..', '.')
    }
  }
  return sayList(text, words)
}

/** Lines of `label: value`, states after each other, and "Temperature (of a type)". */
function sayList(text: string, words: readonly Words[]): string {
  for (const separator of ['\n', ': ', ', ', ' (']) {
    if (!text.includes(separator)) continue
    const [first = '', ...rest] = text.split(separator)
    return [first, rest.join(separator)].map((each) => say(each, words)).join(separator)
  }
  return text
}

/** What stands in a sentence: a length of time, or another sentence; names stay as they are. */
function sayPart(part: string, words: readonly Words[]): string {
  const [, count, unit] = /^(\d+) (day|hour|minute|second)s?$/.exec(part) ?? []
  if (unit === undefined)
    return /[.)]$/.test(part)
      ? ` ${say(part.trim(), words)}`.slice(part.startsWith(' ') ? 0 : 1)
      : part
  return new Intl.NumberFormat(usedLanguage(), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
  }).format(Number(count))
}
