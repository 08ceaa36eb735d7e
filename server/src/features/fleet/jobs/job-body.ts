import { z } from 'zod'
import { invalid } from '../../../http/errors.ts'
import { optionalBoolean, optionalText, validate, wordOf } from '../../../http/fields.ts'
import { readLater } from '../../../http/unknown-members.ts'
import { isObject } from '../batches/batches.ts'
import { itemVariants } from '../devices/batch-items.ts'
import { deviceFilterBody } from '../inventory/device-filter.ts'
import { type JobKind, kindSettings, namesDevices, sentKinds } from './job-kinds.ts'

/** Rows of one job, over all requests that bring them. */
export const mostRows = 100_000

const [creation] = itemVariants
const text = z.string()

/** What a row may have; each is read when it is its turn. */
const registration = z
  .object({
    ...creation?.shape,
    groups: z.array(z.int()).optional(),
    group_path: text.optional(),
    notes: text.optional(),
    source_row: z.int().optional(),
  })
  .meta({ id: 'RegistrationItem' })
const renaming = z.object({ device_id: text, device_name: text }).meta({ id: 'RenamingItem' })
const row = z.union([registration, renaming]).meta({ id: 'JobItem' })

export const rowsField = z
  .array(readLater(row), { error: 'The rows must be an array.' })
  .max(mostRows, `The rows may not have more than ${mostRows} items.`)
  .optional()
  .describe(
    'Of `register`: items as in POST /batch-device-requests without the action, with `groups` (ids), `group_path` (`Building A / Floor 2`) and `notes` if wanted, and `source_row`, the row of a file as a spreadsheet numbers it. Of `rename`: `device_id` (an EUI) and `device_name`.',
  )

export const devicesField = z
  .array(z.unknown(), { error: 'The devices must be an array.' })
  .max(mostRows, `The devices may not have more than ${mostRows} items.`)
  .meta({ items: { type: 'string' } })
  .optional()
  .describe('Of all other kinds: EUIs.')

export const moreField = optionalBoolean('more').describe(
  'Further rows follow with POST /jobs/{job_id}/rows; the job begins with the last ones.',
)

const { mode, groups } = kindSettings.move.shape
const { config_field } = kindSettings.configure.shape
const { changes } = kindSettings.change.shape
const { target } = kindSettings.change_network.shape

/** As in an address, where every value is text. */
const filterField = z.preprocess((sent) => {
  if (!isObject(sent)) return sent
  const members = Object.entries(sent).map(([name, value]) => [
    name,
    typeof value === 'number' ? String(value) : value,
  ])
  return Object.fromEntries(members)
}, deviceFilterBody)

export const jobBody = z.object({
  kind: wordOf('kind', sentKinds),
  title: optionalText('title'),
  dry_run: optionalBoolean('dry run'),
  more: moreField,
  rows: rowsField,
  devices: devicesField,
  filter: filterField
    .optional()
    .describe('In place of `devices`: all that match, as in `GET /fleet/devices`, at this moment.'),
  ...kindSettings.register.shape,
  mode: mode.optional().describe('Of `move`.'),
  groups: groups.optional().describe('Of `move`.'),
  config_field: config_field.optional().describe('Of `configure`.'),
  changes: changes.optional().describe('Of `change`.'),
  target: target
    .optional()
    .describe('Of `change_network`: the body of POST /devices/{device_id}/move, without the key.'),
})

/** The settings of the kind; throws the 422 where one is missing. */
export function readSettings(body: z.infer<typeof jobBody>): Record<string, unknown> {
  const schema: z.ZodObject = kindSettings[body.kind]
  const given = Object.entries(body).filter(([name]) => name in schema.shape)
  return validate(schema, Object.fromEntries(given))
}

/** The rows of a body, which stand where its kind has them. */
export function readRows(
  kind: JobKind,
  { rows, devices, more }: Pick<z.infer<typeof jobBody>, 'rows' | 'devices' | 'more'>,
): readonly unknown[] {
  const [name, sent, other] = namesDevices(kind)
    ? (['devices', devices, rows] as const)
    : (['rows', rows, devices] as const)
  if (other && other.length > 0) {
    const wrong = name === 'rows' ? 'devices' : 'rows'
    throw invalid({ [wrong]: [`A job of the kind ${kind} has ${name}, not ${wrong}.`] })
  }
  if (!more && !sent?.length) throw invalid({ [name]: [`The ${name} field is required.`] })
  return sent ?? []
}
