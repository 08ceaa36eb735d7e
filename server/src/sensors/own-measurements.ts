import { lppUnitOf } from './codecs/cayenne-lpp.ts'
import { labelOf, type Measurement, measurement } from './measurement.ts'
import type { ReadingValue } from './sensor.ts'

/** What an owner says of a measurement of a type; absent members stay as the codec gives them. */
export interface OwnDeclaration extends Partial<Omit<Measurement, 'name' | 'words' | 'inState'>> {
  name: string
}

/** What is known of the measurements of an organization's own device type. */
export interface OwnType {
  format: 'ts013' | 'cayenne_lpp'
  measurements: readonly OwnDeclaration[]
}

/** SQL: it, of the row of `device_types`; null where there is none. */
export const ownTypeOfRow = `case when device_types.id is not null then jsonb_build_object(
    'format', device_types.payload_format, 'measurements', device_types.measurements
  ) end`

/** A value of what a codec gave, named by its path. */
export interface OwnValue {
  measurement: Measurement
  value: number | boolean | string
}

/** The deepest value within objects and lists that is a measurement. */
export const mostLevels = 8
/** The most values of one uplink: codecs may give thousands. */
const mostValues = 200

type Members = Readonly<Record<string, ReadingValue>>

/**
 * The values of `decoded_object` that a codec gave, by their path, such as `air.value` or `probes.0`. An
 * object with `value` says its own name and unit, as `displayName` and `unit`.
 */
export function ownValues(decoded: Members, type: OwnType | null): OwnValue[] {
  const found: OwnValue[] = []
  const { eventDescription: _, ...members } = decoded
  collect(members, { path: '', labels: [], level: 1, format: type?.format }, found)
  if (!type || type.measurements.length === 0) return found
  const declared = new Map(type.measurements.map((one) => [one.name, one]))
  return found.map((one) => complete(one, declared.get(one.measurement.name)))
}

/** A number that the codec sends as text is one where the owner says so. */
function complete({ measurement, value }: OwnValue, said: OwnDeclaration | undefined): OwnValue {
  if (!said) return { measurement, value }
  const isNumber = said.kind === 'number' && typeof value === 'string' && numberText.test(value)
  return { measurement: { ...measurement, ...said }, value: isNumber ? Number(value) : value }
}

/** As the database reads it too. */
const numberText = /^-?\d{1,30}(\.\d{1,30})?$/

interface Place {
  path: string
  labels: readonly string[]
  level: number
  format: OwnType['format'] | undefined
}

function collect(members: Members, place: Place, found: OwnValue[]): void {
  const { path, labels, level, format } = place
  const isQuantity = 'value' in members && !isComposite(members.value)
  for (const [key, value] of Object.entries(members)) {
    if (found.length >= mostValues) return
    const name = path === '' ? key : `${path}.${key}`
    if (isComposite(value)) {
      if (level < mostLevels) {
        const inner = { path: name, labels: [...labels, labelOf(key)], level: level + 1, format }
        collect(Object.fromEntries(Object.entries(value)), inner, found)
      }
    } else if (value !== null && !(isQuantity && key !== 'value')) {
      const own = isQuantity ? factsOf(members, labels) : { label: [...labels, labelOf(key)] }
      const { unit = format === 'cayenne_lpp' ? lppUnit(name) : undefined, label } = own
      const facts = { label: [label].flat().join(' '), ...(unit === undefined ? {} : { unit }) }
      found.push({ measurement: measurement(name, kindOf(value), facts), value })
    }
  }
}

function isComposite(
  value: ReadingValue | undefined,
): value is ReadingValue[] | { [name: string]: ReadingValue } {
  return typeof value === 'object' && value !== null
}

/** What an object with `value` says of it. */
function factsOf({ displayName, unit }: Members, labels: readonly string[]) {
  return {
    label: isText(displayName) ? displayName : labels,
    ...(isText(unit) ? { unit } : {}),
  }
}

function isText(value: ReadingValue | undefined): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 60
}

function kindOf(value: number | boolean | string) {
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'state' : 'text'
}

/** Of `temperature_1`, or of `gps_1.latitude`. */
function lppUnit(name: string): string | undefined {
  const [, field = '', part = ''] = /^(.+?)_\d+(?:\.(\w+))?$/.exec(name) ?? []
  return lppUnitOf(field, part)
}
