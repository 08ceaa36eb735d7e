import { z } from 'zod'
import { type FieldErrors, invalid } from '../../http/errors.ts'
import { optionalText, requiredText } from '../../http/fields.ts'
import { decodeSettings, encodeSettings, settingsOf } from '../../sensors/device-settings.ts'
import type { Field, Section, SectionName } from '../../sensors/settings/section.ts'
import type { FieldValues } from './downlink-history-queries.ts'
import { wrapperOf } from './form-sections.ts'

const sectionNames = ['sensor', 'general', 'advanced'] as const satisfies readonly SectionName[]

/** The form's content: the chosen section, and the fields of all three sections by their ids. */
export const configField = z.looseObject(
  {
    islorawan: z
      .unknown()
      .refine(isInteger, 'The islorawan must be an integer.')
      .meta({ type: 'integer', description: 'Always 1.' })
      .optional(),
    config_type: requiredText('config type').pipe(
      z.enum(sectionNames, {
        error: `The config type must be one of: ${sectionNames.join(', ')}.`,
      }),
    ),
    codec_data: z.unknown().optional().meta({
      description:
        'Of a device of your own type: what `encodeDownlink` of its codec gets as `input.data`, an object or its JSON as text.',
    }),
    codec_port: z.unknown().optional().meta({
      description: 'Of a device of your own type: the port, where the codec does not choose it.',
    }),
  },
  {
    error: ({ input }) =>
      input === undefined || input === null
        ? 'The config field is required.'
        : 'The config field must be an object.',
  },
)

/** The body of a configuration message, and of its preview. */
export const configurationBody = z.object({
  config_field: configField,
  _token: optionalText('form token', 1000),
  deviceId: z.unknown().optional().meta({ description: 'As the form sends it; not used.' }),
})

/** Accepts an integer, its digits as text (a form sends text), and an absent or empty value. */
function isInteger(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'string' ? /^\d{0,10}$/.test(value) : Number.isInteger(value)
}

export type EnteredConfiguration = z.infer<typeof configField>

/** A configuration message, checked and encoded. */
export interface Configuration {
  section: SectionName
  fieldValues: FieldValues
  payload: Uint8Array
  fPort: number
}

/** Encodes the entered configuration. Throws a 422 that names every fault. */
export function readConfiguration(
  typeId: number,
  configuration: EnteredConfiguration,
  fPort: number,
): Configuration {
  const { config_type: section, islorawan: _, ...fields } = configuration
  const sections = settingsOf(typeId)
  const { values, faults } = readShape(sections, section, fields)
  const encoded = encodeSettings(typeId, section, values)
  if ('problems' in encoded) {
    for (const { field, message } of encoded.problems) {
      const isTold = [...faults.keys()].some((told) => `${told}.`.startsWith(`${field}.`))
      if (!isTold) faults.set(pathOf(sections, section, field), message)
    }
  } else if (section === 'sensor' && faults.size === 0 && !Object.values(values).some(isSet)) {
    throw invalid({ config_field: [nothingSet] })
  }
  if ('problems' in encoded || faults.size > 0) throw refuse(faults)
  const { bytes } = encoded
  const fieldValues = decodeSettings(typeId, bytes)?.values ?? {}
  return { section, fieldValues, payload: bytes, fPort }
}

/** An empty message would reset every setting of the sensor. */
export const nothingSet = 'The sensor configuration is empty: set at least one field.'

/** A 422 with the messages by their paths below `config_field`. */
export function refuse(faults: ReadonlyMap<string, string>) {
  const errors = [...faults].map(([path, message]) => [`config_field.${path}`, [message]])
  return invalid(Object.fromEntries(errors) as FieldErrors)
}

/** The entered values, without the wrappers of the form. */
interface ShapedFields {
  /** The fields of the chosen section by id, including empty ones. */
  values: Record<string, unknown>
  /** Unknown fields and values of a wrong shape: messages by the path below `config_field`. */
  faults: Map<string, string>
}

/**
 * Reads the form. It sends all its sections, but only the chosen one takes effect. In every
 * section, an unknown field or a value of a wrong shape is a fault, because its value would be
 * lost. An unknown numeric field may belong to the form of another device: it is accepted while its
 * value has no effect.
 */
export function readShape(
  sections: readonly Section[],
  chosen: SectionName,
  entered: Readonly<Record<string, unknown>>,
): ShapedFields {
  const known = new Map(
    sections.flatMap((section) =>
      section.fields.map((field) => [String(field.id), { field, section: section.name }] as const),
    ),
  )
  const values: Record<string, unknown> = {}
  const faults = new Map<string, string>()
  for (const [id, value] of Object.entries(entered)) {
    const place = known.get(id)
    if (!place) {
      if (!isForeign(id, value, chosen)) faults.set(id, unknownSetting(id))
      continue
    }
    const part = wrapperOf(place.field, place.section)
    const found = part ? findWrapperFaults(place.field, id, value) : []
    for (const [path, message] of found) faults.set(path, message)
    const inner = part && isObject(value) ? value[part] : value
    const path = part && isObject(value) ? `${id}.${part}` : id
    if (found.length === 0 && typeof inner === 'object' && inner !== null) {
      faults.set(path, `${place.field.label} must be a number.`)
    }
    if (place.section === chosen) values[id] = inner
  }
  return { values, faults }
}

/** The path of a field's value below `config_field`. */
function pathOf(sections: readonly Section[], chosen: SectionName, id: string): string {
  const fields = sections.find(({ name }) => name === chosen)?.fields ?? []
  const field = fields.find((each) => String(each.id) === id)
  const part = field && wrapperOf(field, chosen)
  return part ? `${id}.${part}` : id
}

function unknownSetting(id: string): string {
  return `This type of device has no setting "${id}".`
}

export function isSet(value: unknown): boolean {
  const isBlank = typeof value === 'string' && value.trim() === ''
  return value !== undefined && value !== null && !isBlank
}

/**
 * Whether this is a sensor field of another device's form whose value has no effect. A value takes
 * effect only if the sensor section is chosen and the value is set.
 */
function isForeign(id: string, value: unknown, chosen: SectionName): boolean {
  if (!/^\d+$/.test(id) || !isObject(value)) return false
  const members = Object.entries(value)
  const isWrapper = members.every(
    ([name, inner]) => (name === 'main' || name === 'group') && typeof inner !== 'object',
  )
  return isWrapper && (chosen !== 'sensor' || !members.some(([, inner]) => isSet(inner)))
}

/**
 * Null means that there is no value. Any other value must be an object with the field's part as its
 * only member.
 */
function findWrapperFaults({ label, part }: Field, id: string, value: unknown) {
  const faults: [path: string, message: string][] = []
  if (value === null) return faults
  if (!isObject(value)) {
    faults.push([id, `${label} must be an object with the member "${part}".`])
    return faults
  }
  for (const name of Object.keys(value)) {
    if (name === part) continue
    faults.push([`${id}.${name}`, `${label} has no "${name}"; its value is sent as "${part}".`])
  }
  if (faults.length === 0 && !Object.hasOwn(value, part)) {
    faults.push([id, `${label} must be an object with the member "${part}".`])
  }
  return faults
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
