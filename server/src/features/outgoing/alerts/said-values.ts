import { findDeviceType } from '../../../sensors/index.ts'
import { baseOf, type Measurement } from '../../../sensors/measurement.ts'
import { findMeasurement, measurementsOfEvent } from '../../../sensors/measurements.ts'
import { ownValues } from '../../../sensors/own-measurements.ts'
import { type Condition, needsNumber } from './condition-settings.ts'
import type { ReadUplink } from './reading-queries.ts'

type Plain = number | string | boolean

/** A value of a message, in the base unit of its quantity. */
export interface SaidValue {
  measurement: Measurement
  value: Plain
  unit: string | undefined
}

/** A message is asked for its values by each condition, and again as the past of later ones. */
const known = new WeakMap<ReadUplink, SaidValue[]>()

/** The value that a condition asks for, of a message. */
export function findValue(uplink: ReadUplink, condition: Condition): SaidValue | undefined {
  const said = known.get(uplink) ?? readValues(uplink)
  known.set(uplink, said)
  const { measurement, quantity } = condition
  return said.find(
    (one) =>
      (measurement === null
        ? one.measurement.quantity === quantity
        : one.measurement.name === measurement) &&
      (!needsNumber(condition) || typeof one.value === 'number'),
  )
}

function readValues(uplink: ReadUplink): SaidValue[] {
  const { device_type_id, own_type, event_type, decoded_object } = uplink
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

function toBase({ measurement, value }: { measurement: Measurement; value: Plain }): SaidValue {
  if (typeof value !== 'number') return { measurement, value, unit: undefined }
  const { unit, convert } = baseOf(measurement)
  return { measurement, value: convert(value), unit }
}
