import { z } from 'zod'
import { type FieldErrors, invalid } from '../../http/errors.ts'
import { requiredText } from '../../http/fields.ts'
import { decodeSettings, encodeSettings } from '../../sensors/device-settings.ts'
import type { SectionName } from '../../sensors/settings.ts'

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

/** A configuration message, checked and encoded. */
export interface Configuration {
  section: SectionName
  fieldValues: Record<string, number>
  payload: Uint8Array
}

/** Encodes what was entered; throws the 422 that names everything that is wrong with it. */
export function readConfiguration(
  typeId: number,
  { islorawan: _, config_type: section, ...fields }: z.infer<typeof configField>,
): Configuration {
  const entered = Object.fromEntries(
    Object.entries(fields)
      .map(([id, value]) => [id, unwrap(value)] as const)
      .filter(([id, value]) => isSet(value) && (section === 'sensor' || !isSensorField(id))),
  )
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
  return { section, fieldValues: decodeSettings(typeId, bytes)?.values ?? {}, payload: bytes }
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
