import { z } from 'zod'
import { type FieldErrors, invalid } from '../../http/errors.ts'
import { requiredText } from '../../http/fields.ts'
import { decodeSettings, encodeSettings } from '../../sensors/device-settings.ts'
import type { SectionName } from '../../sensors/settings.ts'
import type { FieldValues } from './downlink-queries.ts'

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
  const section = configuration.config_type
  const entered = setFields(configuration)
  const encoded = encodeSettings(typeId, section, entered)
  if ('problems' in encoded) {
    const errors: FieldErrors = {}
    for (const { field, message } of encoded.problems) {
      const name = `config_field.${field}`
      errors[name] = [...(errors[name] ?? []), message]
    }
    throw invalid(errors)
  }
  const { bytes } = encoded
  const fieldValues = decodeSettings(typeId, bytes)?.values ?? {}
  return { section, fieldValues, payload: bytes, fPort }
}

/** What was entered and counts in the section chosen, out of its wrappers. */
export function setFields({
  islorawan: _,
  config_type: section,
  ...fields
}: EnteredConfiguration): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      // What a codec gets may have any members, also those of a wrapper.
      .map(([id, value]) => [id, id === 'codec_data' ? value : unwrap(value)] as const)
      .filter(([id, value]) => isSet(value) && (section === 'sensor' || !isSensorField(id))),
  )
}

/** A value may stand in either wrapper, `main` or `group`, or bare. A list is no wrapper. */
function unwrap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { main, group } = value as { main?: unknown; group?: unknown }
  return isSet(main) ? main : group
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** Whatever device the form was of: in the other sections its sensor fields do not count. */
function isSensorField(id: string): boolean {
  return /^\d+$/.test(id)
}
