import { withUnit } from '../../../sensors/shown-reading.ts'
import { isWithinHours } from '../channels/channel-hours.ts'
import { type Condition, type ConditionSettings, isRelative } from './condition-settings.ts'
import { type Past, type Than, timeOf } from './past.ts'
import type { ReadUplink } from './reading-queries.ts'
import type { Verdict } from './readings.ts'
import { findValue, type SaidValue } from './said-values.ts'

export interface Judging {
  /** Of schedules. */
  timeZone: string
  past: Past
}

/**
 * Whether the values of one message meet the conditions, often enough where the rule says how often; undefined
 * where it has not all that decides. Within the hours of a schedule nothing counts, and what was open ends.
 */
export function judgeConditions(
  settings: ConditionSettings,
  uplink: ReadUplink,
  judging: Judging,
): Verdict | undefined {
  const { isMet, told } = meet(settings, uplink, judging)
  if (isMet === undefined) return undefined
  const { times, times_minutes } = settings
  if (!times) return isMet ? { is: 'beyond', ...describe(told, settings) } : back
  const until = { deviceId: uplink.device_id, time: timeOf(uplink) }
  const count = countTimes(settings, until, judging)
  if (count <= times) return back
  const message = told.map(({ text }) => text).join(', ')
  const often = `${count} times within ${spanWords(times_minutes)}`
  return {
    ...{ is: 'beyond', value: null, bound: null },
    details: { message: message === '' ? often : `${message}, ${often}` },
  }
}

const back: Verdict = { is: 'back', value: null, bound: null }

/** A condition that a message meets, in words. */
interface Told {
  condition: Condition
  said: SaidValue
  text: string
}

function meet(
  { match, conditions, outside }: ConditionSettings,
  uplink: ReadUplink,
  { timeZone, past }: Judging,
): { isMet: boolean | undefined; told: Told[] } {
  if (outside) {
    const { days, from: from_time, to: to_time } = outside
    const hours = { days, from_time, to_time, time_zone: timeZone }
    if (isWithinHours(hours, new Date(timeOf(uplink)))) return { isMet: false, told: [] }
  }
  const met = conditions.map((condition) => compare(condition, uplink, past))
  const told = met.flatMap((one) => one || [])
  const isDecided = match === 'all' ? met.includes(false) : told.length > 0
  if (!isDecided && met.includes(undefined)) return { isMet: undefined, told: [] }
  return { isMet: match === 'all' ? !met.includes(false) : told.length > 0, told }
}

/** What a condition finds, false where it is not met, undefined where nothing says. */
function compare(condition: Condition, uplink: ReadUplink, past: Past): Told | false | undefined {
  const said = findValue(uplink, condition)
  if (!said) return undefined
  const { measurement, value, unit } = said
  const shown = typeof value === 'number' ? withUnit(rounded(value), { unit }) : String(value)
  const text = `${measurement.label} ${shown}`
  if (!isRelative(condition) || typeof value !== 'number') {
    return isMet(value, condition) && { condition, said, text }
  }
  const difference = differenceOf(condition, { uplink, value, past })
  if (!difference) return undefined
  const { by, words } = difference
  if (!(by > Number(condition.value))) return false
  return { condition, said, text: `${text}, ${withUnit(rounded(by), { unit })} ${words}` }
}

function isMet(value: SaidValue['value'], { is, value: limit }: Condition): boolean {
  if (is === 'above') return Number(value) > Number(limit)
  if (is === 'below') return Number(value) < Number(limit)
  return (wordOf(value) === wordOf(limit)) === (is === 'equal')
}

/** As people enter it: `Open` is `open`, and `1` is 1. */
function wordOf(value: SaidValue['value']): string {
  return String(value).trim().toLowerCase()
}

interface Reading {
  uplink: ReadUplink
  value: number
  past: Past
}

/** How far a value is from what it is compared with, in the direction that the condition asks for. */
function differenceOf(
  condition: Condition,
  { uplink, value, past }: Reading,
): { by: number; words: string } | undefined {
  const { is, than, within_minutes } = condition
  if (than) {
    const other = valueElsewhere(condition, than, { uplink, past })
    if (other === undefined) return undefined
    const { name } = past.comparedWith(than)
    const above = value - other
    if (is === 'lower') return { by: -above, words: `below ${name}` }
    if (is === 'higher') return { by: above, words: `above ${name}` }
    return { by: Math.abs(above), words: above < 0 ? `below ${name}` : `above ${name}` }
  }
  const earlier = numbersBefore(condition, { uplink, past })
  if (earlier.length === 0) return undefined
  const span = spanWords(within_minutes)
  return is === 'rises'
    ? { by: value - Math.min(...earlier), words: `up within ${span}` }
    : { by: Math.max(...earlier) - value, words: `down within ${span}` }
}

function numbersBefore(
  condition: Condition,
  { uplink, past }: { uplink: ReadUplink; past: Past },
): number[] {
  const time = timeOf(uplink)
  const since = time - condition.within_minutes * 60_000
  return past.of(uplink.device_id).flatMap((one) => {
    const isBefore = one.time < time || (one.time === time && one.uplink.ordinal < uplink.ordinal)
    if (!isBefore || one.time < since) return []
    const value = findValue(one.uplink, condition)?.value
    return typeof value === 'number' ? [value] : []
  })
}

/** The last value of another device, or the average of the last ones of the others in a group. */
function valueElsewhere(
  condition: Condition,
  than: Than,
  { uplink, past }: { uplink: ReadUplink; past: Past },
): number | undefined {
  const time = timeOf(uplink)
  const since = time - condition.within_minutes * 60_000
  const values = past.comparedWith(than).devices.flatMap((device) => {
    if (device === uplink.device_id) return []
    const last = past.of(device).findLast((one) => {
      if (one.time > time || one.time < since) return false
      return findValue(one.uplink, condition) !== undefined
    })
    const value = last && findValue(last.uplink, condition)?.value
    return typeof value === 'number' ? [value] : []
  })
  if (values.length === 0) return undefined
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** How often the conditions of a rule were met until a time, in the minutes that the rule looks back. */
export function countTimes(
  settings: ConditionSettings,
  { deviceId, time }: { deviceId: number; time: number },
  judging: Judging,
): number {
  const { past } = judging
  const since = time - settings.times_minutes * 60_000
  let count = 0
  let wasMet = false
  for (const one of past.of(deviceId)) {
    if (one.time > time) break
    const isMet = past.met.has(one.uplink)
      ? past.met.get(one.uplink)
      : meet(settings, one.uplink, judging).isMet
    past.met.set(one.uplink, isMet)
    if (isMet === undefined) continue
    const counts = isMet && (settings.counts === 'messages' || !wasMet)
    if (counts && one.time > since) count += 1
    wasMet = isMet
  }
  return count
}

function spanWords(minutes: number): string {
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
}

/** What was converted or subtracted has a long tail. */
function rounded(value: number): number {
  return Math.abs(value) < 1000 ? Number(value.toPrecision(4)) : Math.round(value)
}

function describe(told: readonly Told[], { conditions }: ConditionSettings) {
  const message = told.map(({ text }) => text).join(', ')
  const [only] = told
  const isNumber = conditions.length === 1 && typeof only?.said.value === 'number'
  if (!isNumber || isRelative(only.condition) || typeof only.condition.value !== 'number') {
    return { value: null, bound: null, details: { message } }
  }
  const { measurement, value, unit } = only.said as SaidValue & { value: number }
  const details = {
    ...{ key: measurement.name, label: measurement.label, message },
    ...(unit === undefined ? {} : { unit }),
  }
  return { value, bound: only.condition.value, details }
}
