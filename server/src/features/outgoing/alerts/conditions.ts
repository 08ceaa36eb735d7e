import { findDeviceType } from '../../../sensors/index.ts'
import { baseOf, type Measurement } from '../../../sensors/measurement.ts'
import { findMeasurement, measurementsOfEvent } from '../../../sensors/measurements.ts'
import { ownValues } from '../../../sensors/own-measurements.ts'
import { withUnit } from '../../../sensors/shown-reading.ts'
import { isWithinHours } from '../channels/channel-hours.ts'
import type { SettingsOf } from './alert-kinds.ts'
import type { ReadUplink } from './reading-queries.ts'
import type { Verdict } from './readings.ts'

type Settings = SettingsOf<'condition'>
type Condition = Settings['conditions'][number]
type Plain = number | string | boolean

/** A value of a message, in the base unit of its quantity. */
interface Found {
  measurement: Measurement
  value: Plain
  unit: string | undefined
}

/**
 * Whether the values of one message meet the conditions; undefined where it has not all that decides.
 * Within the hours of a schedule nothing counts, and what was open ends.
 */
export function judgeConditions(
  { match, conditions, outside }: Settings,
  uplink: ReadUplink,
  { time, timeZone }: { time: Date; timeZone: string },
): Verdict | undefined {
  if (outside) {
    const { days, from: from_time, to: to_time } = outside
    if (isWithinHours({ days, from_time, to_time, time_zone: timeZone }, time)) {
      return { is: 'back', value: null, bound: null }
    }
  }
  const said = readValues(uplink)
  const found = conditions.map((condition) => find(said, condition))
  const met = found.map((one, at) => one && isMet(one.value, conditions[at] as Condition))
  const isDecided = match === 'all' ? met.includes(false) : met.includes(true)
  if (!isDecided && met.includes(undefined)) return undefined
  const isBeyond = match === 'all' ? !met.includes(false) : met.includes(true)
  if (!isBeyond) return { is: 'back', value: null, bound: null }
  return {
    is: 'beyond',
    ...describe(
      found.filter((_, at) => met[at]),
      conditions,
    ),
  }
}

function readValues({ device_type_id, own_type, event_type, decoded_object }: ReadUplink): Found[] {
  if (!findDeviceType(device_type_id)) {
    return ownValues(decoded_object, own_type).map(toBase)
  }
  const ofEvent = new Map(measurementsOfEvent(event_type).map((one) => [one.name, one]))
  return Object.entries(decoded_object).flatMap(([name, value]) => {
    const measurement = ofEvent.get(name) ?? findMeasurement(device_type_id, name)
    return measurement && isPlain(value) ? [toBase({ measurement, value })] : []
  })
}

function isPlain(value: unknown): value is Plain {
  return ['number', 'string', 'boolean'].includes(typeof value)
}

function toBase({ measurement, value }: { measurement: Measurement; value: Plain }): Found {
  if (typeof value !== 'number') return { measurement, value, unit: undefined }
  const { unit, convert } = baseOf(measurement)
  return { measurement, value: convert(value), unit }
}

function find(said: readonly Found[], { measurement, quantity, is }: Condition): Found | undefined {
  const needsNumber = is === 'above' || is === 'below'
  return said.find(
    (one) =>
      (measurement === null
        ? one.measurement.quantity === quantity
        : one.measurement.name === measurement) &&
      (!needsNumber || typeof one.value === 'number'),
  )
}

function isMet(value: Plain, { is, value: limit }: Condition): boolean {
  if (is === 'above') return Number(value) > Number(limit)
  if (is === 'below') return Number(value) < Number(limit)
  return (wordOf(value) === wordOf(limit)) === (is === 'equal')
}

/** As people enter it: `Open` is `open`, and `1` is 1. */
function wordOf(value: Plain): string {
  return String(value).trim().toLowerCase()
}

function describe(found: readonly (Found | undefined)[], conditions: readonly Condition[]) {
  const met = found.flatMap((one) => one ?? [])
  const message = met
    .map(({ measurement, value, unit }) => {
      const text = typeof value === 'number' ? withUnit(value, { unit }) : String(value)
      return `${measurement.label} ${text}`
    })
    .join(', ')
  const [only] = met
  const [condition] = conditions
  const isNumber = conditions.length === 1 && typeof only?.value === 'number'
  if (!isNumber || typeof condition?.value !== 'number') {
    return { value: null, bound: null, details: { message } }
  }
  const { measurement, value, unit } = only as Found & { value: number }
  const details = {
    ...{ key: measurement.name, label: measurement.label, message },
    ...(unit === undefined ? {} : { unit }),
  }
  return { value, bound: condition.value, details }
}
