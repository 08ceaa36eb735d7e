import { z } from 'zod'
import { type FieldErrors, invalid } from '../../http/errors.ts'
import { requiredText } from '../../http/fields.ts'
import { decodeSettings, encodeSettings, settingsOf } from '../../sensors/device-settings.ts'
import type { SectionName } from '../../sensors/settings/section.ts'
import { isSet, pathOf, readShape } from './config-shape.ts'
import type { FieldValues } from './downlink-history-queries.ts'

const sectionNames = ['sensor', 'general', 'advanced'] as const satisfies readonly SectionName[]

/** What the form sends: the section chosen, and the fields of all three by their ids. */
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

/** A number, or what a form makes of one. */
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

/** Encodes what was entered; throws the 422 that names everything that is wrong with it. */
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

/** A message made of nothing would take back every setting of the sensor. */
export const nothingSet = 'The sensor configuration is empty: set at least one field.'

/** 422 with the sentences by their paths below `config_field`. */
export function refuse(faults: ReadonlyMap<string, string>) {
  const errors = [...faults].map(([path, message]) => [`config_field.${path}`, [message]])
  return invalid(Object.fromEntries(errors) as FieldErrors)
}
