import { findDeviceType } from '../../../sensors/index.ts'
import { baseOf, type Measurement, measurement } from '../../../sensors/measurement.ts'
import { allOfType, measurementsOfType } from '../../../sensors/measurements.ts'
import { typeName } from '../../fleet/inventory/references.ts'
import type { UsedType } from './automatic-queries.ts'

/** What devices measure, by what their types declare. */

export interface Measured {
  /** As the source of a widget names it. */
  what: { quantity: string } | { measurement: string }
  label: string
  unit: string | null
  devices: number
}

/**
 * The numbers of these types. What has a quantity is what somebody looks for, and comes before numbers
 * that only their sensor knows, such as a relative resistance. Of each, most devices come first.
 */
export function measuredBy(
  types: readonly UsedType[],
  numbersOf: (type: UsedType) => readonly Measurement[],
): Measured[] {
  const found = new Map<string, Measured & { types: string[] }>()
  for (const type of types) {
    const own = new Map(
      numbersOf(type).map((one) => {
        const { name, label, quantity } = one
        const what = quantity === undefined ? { measurement: name } : { quantity }
        return [JSON.stringify(what), { what, label, unit: baseOf(one).unit ?? null }] as const
      }),
    )
    for (const [key, one] of own) {
      const known = found.get(key) ?? { ...one, devices: 0, types: [] }
      known.devices += type.devices
      known.types.push(typeName(type))
      found.set(key, known)
    }
  }
  const all = [...found.values()].sort(
    (a, b) => Number(hasQuantity(b)) - Number(hasQuantity(a)) || b.devices - a.devices,
  )
  const named = Map.groupBy(all, ({ label }) => label)
  return all.map(({ types: names, ...one }) =>
    (named.get(one.label)?.length ?? 0) > 1 ? { ...one, label: withTypes(one.label, names) } : one,
  )
}

export function hasQuantity({ what }: Measured): boolean {
  return 'quantity' in what
}

/** Of what several sensors call the same. */
function withTypes(label: string, [first = '', ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${label} (${first}${more})`
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
