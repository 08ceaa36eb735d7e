import { baseOf, type Measurement } from '../../../sensors/measurement.ts'
import type { OwnValue } from '../../../sensors/own-measurements.ts'
import type { ReadingValue } from '../../../sensors/sensor.ts'
import type { BatteryScale } from '../../insight/device-health/battery-trend.ts'
import type { SettingsOf } from './alert-kinds.ts'

/**
 * What a reading means for a rule. `between` is neither beyond the bound nor back by the margin: an
 * open alert stays open.
 */
export interface Verdict {
  is: 'beyond' | 'between' | 'back'
  value: number | null
  bound: number | null
  details?: ReadingDetails
}

/** What a reading says besides its number: the name of a threshold's, the end of a battery. */
export interface ReadingDetails {
  key?: string
  /** What a codec says of it. */
  label?: string
  unit?: string
  empty_at?: string
  /** What a rule with conditions found. */
  message?: string
}

type Values = Readonly<Record<string, ReadingValue>>

/**
 * Undefined where the reading has no such number. `own` has what a codec gave, by its path; `declared` is
 * what a built-in type says of the number. It is judged in its base unit.
 */
export function judgeThreshold(
  { key, above, below, margin }: SettingsOf<'threshold'>,
  values: Values,
  { own, declared }: { own?: readonly OwnValue[]; declared?: Measurement } = {},
): Verdict | undefined {
  const said = own?.find(({ measurement }) => measurement.name === key)
  const sent = said ? said.value : Object.hasOwn(values, key) ? values[key] : undefined
  if (typeof sent !== 'number') return undefined
  const { unit, convert } = baseOf(said?.measurement ?? declared ?? {})
  const value = convert(sent)
  const details = {
    key,
    ...(said && { label: said.measurement.label, ...(unit === undefined ? {} : { unit }) }),
  }
  if (above !== null && value > above) return { is: 'beyond', value, bound: above, details }
  if (below !== null && value < below) return { is: 'beyond', value, bound: below, details }
  const isBack =
    (above === null || value <= above - margin) && (below === null || value >= below + margin)
  return { is: isBack ? 'back' : 'between', value, bound: above ?? below }
}

/** The switch in the case, in its own message and in the supervisory one. */
export function judgeTamper(eventType: string, values: Values): Verdict | undefined {
  const isOpen =
    eventType === 'TAMPER'
      ? readState(values.state)
      : typeof values.tamperState === 'boolean'
        ? values.tamperState
        : undefined
  if (isOpen === undefined) return undefined
  return { is: isOpen ? 'beyond' : 'back', value: null, bound: null }
}

function readState(state: ReadingValue | undefined): boolean | undefined {
  return state === 'open' ? true : state === 'closed' ? false : undefined
}

/** With a new battery: over two of the steps of 0.1 V in which readings come. */
const batteryMargin = { V: 0.2, '%': 10 }
/** A trend that gets a little better does not end the alert. */
const trendMarginDays = 30

const day = 24 * 60 * 60 * 1000

/** A reading of a battery, in the unit of its scale. */
export interface BatteryLevel {
  scale: BatteryScale
  level: number
}

export interface BatteryReading extends BatteryLevel {
  /** By the trend, in milliseconds; undefined where it does not fall. */
  emptyAt: number | undefined
}

export function judgeBattery(
  settings: SettingsOf<'low_battery'>,
  { level: value, scale: { unit }, emptyAt = Infinity }: BatteryReading,
  now: number,
): Verdict {
  const bound = unit === 'V' ? settings.volts : settings.percent
  const left = (emptyAt - now) / day
  const details = {
    ...(unit !== 'V' && { unit }),
    ...(Number.isFinite(emptyAt) && { empty_at: new Date(emptyAt).toISOString() }),
  }
  const said = { value, bound, details }
  // Binary fractions: 3.1 - 2.8 is a little less than 0.3.
  if (value <= bound + 1e-9 || left <= settings.days) return { is: 'beyond', ...said }
  const isBack =
    value >= bound + batteryMargin[unit] - 1e-9 && left > settings.days + trendMarginDays
  return { is: isBack ? 'back' : 'between', value, bound }
}

/** The latest alert of a rule about a device, as the evaluation of readings moves it on. */
export interface Known {
  /** Of a stored row. */
  id: number | undefined
  state: 'pending' | 'open' | 'dismissed' | 'closed'
  /** Milliseconds. */
  began: number
  /** The time of the last reading that changed it. */
  changed: number
  value: number | null
  bound: number | null
  details: ReadingDetails
}

/**
 * What becomes of the latest alert by a reading at `time`: the same object where nothing changes,
 * undefined where it was only pending and ends. Readings come in the order of their arrival; one
 * that is older than the last change came too late.
 */
export function moveOn(
  known: Known | undefined,
  verdict: Verdict,
  { time, lasting }: { time: number; lasting: number },
): Known | undefined {
  if (known && time < known.changed) return known
  const { value, bound, details = {} } = verdict
  if (!known || known.state === 'closed') {
    if (verdict.is !== 'beyond') return known
    const state = lasting > 0 ? 'pending' : 'open'
    return { id: undefined, state, began: time, changed: time, value, bound, details }
  }
  if (known.state === 'pending') {
    if (verdict.is !== 'beyond') return undefined
    return time - known.began < lasting ? known : { ...known, state: 'open', changed: time, value }
  }
  return verdict.is === 'back' ? { ...known, state: 'closed', changed: time } : known
}
