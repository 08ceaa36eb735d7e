import { findDeviceType } from '../../../sensors/index.ts'
import { baseOf, type Measurement, measurement } from '../../../sensors/measurement.ts'
import { allOfType, measurementsOfType } from '../../../sensors/measurements.ts'
import type { UsedType } from './automatic-queries.ts'

/** What devices measure, by what their types declare. */

export interface Measured {
  /** As the source of a widget names it. */
  what: { quantity: string } | { measurement: string }
  label: string
  unit: string | null
  devices: number
}

/** The numbers of these types, of which there are most devices first. */
export function measuredBy(
  types: readonly UsedType[],
  numbersOf: (type: UsedType) => readonly Measurement[],
): Measured[] {
  const found = new Map<string, Measured>()
  for (const type of types) {
    const own = new Map(
      numbersOf(type).map((one): [string, Measured] => {
        const { name, label, quantity } = one
        const what = quantity === undefined ? { measurement: name } : { quantity }
        const unit = baseOf(one).unit ?? null
        return [JSON.stringify(what), { what, label, unit, devices: type.devices }]
      }),
    )
    for (const [key, one] of own) {
      const known = found.get(key)
      if (known) known.devices += type.devices
      else found.set(key, one)
    }
  }
  return [...found.values()].sort((a, b) => b.devices - a.devices)
}

const isNumber = ({ kind, isHidden }: Measurement) => kind === 'number' && !isHidden

/** All numbers of a type. */
export function numbersOf({ type_id, measurements }: UsedType): Measurement[] {
  if (findDeviceType(type_id)) return allOfType(type_id).filter(isNumber)
  return (measurements ?? [])
    .map((own) => measurement(own.name, own.kind ?? 'number', own))
    .filter(isNumber)
}

/** The numbers that a reading of the type shows, else all of its own. Batteries have a widget of theirs. */
export function shownOf(type: UsedType): Measurement[] {
  if (!findDeviceType(type.type_id)) return numbersOf(type)
  const own = measurementsOfType(type.type_id).filter(isNumber)
  const shown = own.filter(({ isHeadline }) => isHeadline)
  return shown.length > 0 ? shown : own
}
