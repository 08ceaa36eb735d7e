import { t } from '../../../languages/text.ts'
import { reverseBytes } from './hex.ts'

/** What stands in one line of a label: names, values of hexadecimal digits, and words about their order. */
export type LabelField = 'devEui' | 'joinEui' | 'appKey'
export type ByteOrder = 'lsb' | 'msb'

export const labels: Record<LabelField, string> = {
  devEui: 'DevEUI',
  joinEui: 'JoinEUI',
  appKey: t('device key'),
}

/** A value that was found, and from which words. */
export interface Finding {
  field: LabelField
  /** Upper-case digits without separators. */
  value: string
  /** The part of the text that it was taken from. */
  source: string
  /** Whether the text named it, or only its length and place show what it may be. */
  isNamed: boolean
}

interface Place {
  start: number
  end: number
}

export interface Name extends Place {
  /** `other`: a name of something else, whose digits are not taken for an EUI or a key. */
  field: LabelField | 'other'
}

export interface Run extends Place {
  /** Upper-case digits as they are printed. */
  value: string
  /** Whether the digits stand together. Digits in groups may also be several values. */
  isWhole: boolean
  /** Digits of the first group. */
  width: number
  /** Whether a group has fewer digits than the others: something is missing or too much. */
  isUneven: boolean
  /** What the line says of the order of the bytes; both if it says both. */
  orders: Set<ByteOrder>
}

export interface LabelLine {
  text: string
  names: Name[]
  runs: Run[]
  /** Whether it says an order that belongs to no value of this line. */
  hasLooseOrder: boolean
}

const prefix = String.raw`(?<![a-z0-9])(?:(?:node|lora(?:wan)?|otaa|my|at)[+_\s-]*)*`
const suffix = '(?![a-z0-9])'
const named = (words: string) => new RegExp(`${prefix}(?:${words})${suffix}`, 'gi')

const names: readonly [Name['field'], RegExp][] = [
  ['devEui', named(String.raw`(?:end[\s_-]*)?dev(?:ice)?[\s_-]*(?:eui(?:64)?|id)|deui`)],
  ['joinEui', named(String.raw`(?:join|app(?:lication)?)[\s_-]*(?:eui(?:64)?|id)|[ja]eui`)],
  ['appKey', named(String.raw`(?:app(?:lication)?|device|dev|root|otaa)[\s_-]*key|ak`)],
  [
    'other',
    named(
      [
        String.raw`(?:nwk|network|net|gen[\s_-]*app|join|mc(?:root|ke|[\s_-]*app|[\s_-]*nwk)?|[a-z]*[\s_-]*(?:session|int|enc))[\s_-]*key`,
        String.raw`(?:nwk|app|[a-z]*nwksint|[a-z]*nwksenc)[\s_-]*s[\s_-]*key|[a-z]+sintkey|[a-z]+senckey`,
        String.raw`(?:gateway|gw|gtw|net(?:work)?)[\s_-]*(?:eui(?:64)?|id)|dev(?:ice)?[\s_-]*addr(?:ess)?`,
        String.raw`s\/?n|serial(?:[\s_-]*(?:no|nr|number))?|imei|imsi|iccid|mac(?:[\s_-]*addr(?:ess)?)?|ble`,
        String.raw`p\/?n|part(?:[\s_-]*(?:no|nr|number))?|lot|batch|uuid|token|pin|claim(?:[\s_-]*code)?`,
      ].join('|'),
    ),
  ],
]

const orders: readonly [ByteOrder, RegExp][] = [
  [
    'lsb',
    /(?<![a-z])(?:lsbf?|lsbyte|l\.s\.b\.?|least[\s-]*significant|little[\s_-]*endian|reversed?)(?![a-z])/gi,
  ],
  [
    'msb',
    /(?<![a-z])(?:msbf?|msbyte|m\.s\.b\.?|most[\s-]*significant|big[\s_-]*endian)(?![a-z])/gi,
  ],
]

const between = /^(?:[ ]?[:.\-_,][ ]?| )$/

/** Lines of a text. An array of C is one line, however it is broken. */
export function readLines(text: string): LabelLine[] {
  const plain = text
    .normalize('NFKC')
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\{[^{}]*\}/g, (array) =>
      // Without 0x, the numbers of an array are decimal.
      /^\{[\d\s,]*\}$/.test(array) ? '{decimal}' : array.replace(/(?<=[{,])\s+|\s+(?=\})/g, ' '),
    )
  return plain
    .split(/[\r\n]+/)
    .map((line) => line.replace(/\[\d*\]/g, ' ').trim())
    .filter((line) => line !== '')
    .map(readLine)
}

/** The value as it is used. An EUI is reversed if the text says LSB of it, a key never. */
export function toPrinted({ value, orders }: Run): { value: string; isReversed: boolean } {
  const isReversed = value.length === 16 && orders.has('lsb') && orders.size === 1
  return { value: isReversed ? reverseBytes(value) : value, isReversed }
}

function readLine(text: string): LabelLine {
  const runs = findRuns(text)
  const isFree = ({ start, end }: Place) =>
    runs.every((run) => end <= run.start || start >= run.end)
  const found = names
    .flatMap(([field, pattern]) => placesOf(text, pattern).map((place) => ({ ...place, field })))
    .filter(isFree)
    .sort((one, other) => one.start - other.start || other.end - one.end)
  const apart = found.filter((name, index) => (found[index - 1]?.end ?? 0) <= name.start)
  return { text, names: apart, runs, hasLooseOrder: !attachOrders(text, runs, apart) }
}

function placesOf(text: string, pattern: RegExp): Place[] {
  return [...text.matchAll(pattern)].map(({ 0: word, index }) => {
    return { start: index, end: index + word.length }
  })
}

/**
 * Values of digits: those that stand together, or equal groups with the same separator all along. What
 * does not fit into the groups but hangs on them belongs to the value, whose number of digits is wrong
 * then: nothing is cut.
 */
function findRuns(text: string): Run[] {
  const groups = placesOf(text, /(?<![0-9a-z])(?:0x)?[0-9a-f]+(?![0-9a-z])/gi).map((place) => {
    const word = text.slice(place.start, place.end)
    const isC = /^0x/i.test(word)
    const digits = word.replace(/^0x/i, '').toUpperCase()
    // C writes a byte below 16 with one digit.
    return { ...place, isC, digits: isC && digits.length === 1 ? `0${digits}` : digits }
  })
  const runs: Run[] = []
  for (let at = 0; at < groups.length; ) {
    const first = groups[at]
    if (!first) break
    const width = first.digits.length
    let [value, end, next] = [first.digits, first.end, at + 1]
    let separator: string | undefined
    let isUneven = false
    for (; next < groups.length && [2, 4, 8].includes(width); next += 1) {
      const group = groups[next]
      const gap = group ? text.slice(end, group.start) : ''
      const kind = gap.trim() || gap
      if (!group || !between.test(gap) || (separator ?? kind) !== kind) break
      // Two numbers of eight digits are seldom one.
      if (group.isC !== first.isC || (width === 8 && kind !== ' ' && !first.isC)) break
      // A word such as "A" or "be" after a blank is none of it.
      const isLoose = kind === ' ' && !/\d/.test(group.digits)
      if (group.digits.length > width || (group.digits.length < width && isLoose)) break
      separator = kind
      isUneven ||= group.digits.length < width
      value += group.digits
      end = group.end
    }
    // Words such as "face" and short numbers are no addresses.
    if (value.length >= 8) {
      const shape = { isWhole: next === at + 1, width, isUneven }
      runs.push({ value, ...shape, orders: new Set(), start: first.start, end })
    }
    at = next
  }
  return runs
}

/**
 * Gives each value the order that is said of it. One that may be said of two values makes both
 * doubtful. Returns false if one is said of none.
 */
function attachOrders(text: string, runs: readonly Run[], free: readonly Name[]): boolean {
  const found = orders
    .flatMap(([order, pattern]) => placesOf(text, pattern).map((place) => ({ ...place, order })))
    .filter(({ start }) => !/\bnot\s*$/i.test(text.slice(0, start)))
  let isAllAttached = true
  for (const { start, end, order } of found) {
    const before = runs.findLast((run) => run.end <= start)
    const after = runs.find((run) => run.start >= end)
    const name = free.find((each) => each.start >= end && after && each.end <= after.start)
    const left = text.slice(before?.end ?? 0, start)
    if (!before && !after) isAllAttached = false
    else if (!after || (before && /^[\s,;-]*[([]\s*$/.test(left))) before?.orders.add(order)
    else if (!before || !name || /[;,|\t]/.test(left) || hasName(free, before.end, start)) {
      after.orders.add(order)
    } else if (/[;,|\t]/.test(text.slice(end, name.start))) before.orders.add(order)
    else {
      for (const run of [before, after]) run.orders.add('lsb').add('msb')
    }
  }
  return isAllAttached
}

function hasName(names: readonly Name[], start: number, end: number): boolean {
  return names.some((name) => name.start >= start && name.end <= end)
}
