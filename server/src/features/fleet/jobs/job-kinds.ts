import { z } from 'zod'
import { type Caller, type Permission, permissions } from '../../../http/endpoint.ts'
import { forbidden, lacksPermission } from '../../../http/errors.ts'
import { optionalBoolean, optionalLines, requiredInteger, wordOf } from '../../../http/fields.ts'
import { configField } from '../../downlinks/config-field.ts'
import { tagKeys, tagsField } from '../inventory/tags.ts'
import { moveTarget } from '../moves/move-form.ts'

/** What a job does with each of its rows: the kinds of POST /jobs. */
export const sentKinds = [
  'register',
  'rename',
  'move',
  'configure',
  'delete',
  'change',
  'change_network',
] as const
export type SentKind = (typeof sentKinds)[number]

/** `take_over` is begun by POST /network-accounts/{network}/take-over. */
export const jobKinds = [...sentKinds, 'take_over'] as const
export type JobKind = (typeof jobKinds)[number]

/** Kinds whose rows name a device and nothing else. */
const listKinds: readonly JobKind[] = ['move', 'configure', 'delete', 'change', 'change_network']

export function namesDevices(kind: JobKind): boolean {
  return listKinds.includes(kind)
}

const mostGroups = 100

const groupIds = z
  .array(requiredInteger('group id'), { error: 'The groups must be an array.' })
  .min(1, 'The groups field is required.')
  .max(mostGroups, `The groups may not have more than ${mostGroups} entries.`)
  .transform((ids) => [...new Set(ids)])

const device = z
  .object({
    deviceType: requiredInteger('device type').optional(),
    extra_notes: optionalLines('extra notes', 5000),
    gatewayId: requiredInteger('gateway id').nullish(),
    add_tags: tagsField.optional().describe('Tags that each device gets beside its own.'),
    remove_tags: tagKeys.optional().describe('The keys of tags that each device loses.'),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    error: 'The changes are empty: set at least one field.',
  })

/** The settings of each kind, which are in the body next to the rows. */
export const kindSettings = {
  register: z.object({ create_groups: optionalBoolean('create groups') }),
  rename: z.object({}),
  move: z.object({ mode: wordOf('mode', ['add', 'remove', 'replace']), groups: groupIds }),
  configure: z.object({ config_field: configField }),
  delete: z.object({}),
  change: z.object({ changes: device }),
  change_network: z.object({
    target: z.object(moveTarget, { error: 'The target field is required.' }),
  }),
} as const satisfies Record<SentKind, z.ZodObject>

export type SettingsOf<K extends SentKind> = z.infer<(typeof kindSettings)[K]>

/** Besides `manage_devices`, which every job takes. */
const furtherRights: Partial<Record<JobKind, Permission>> = {
  move: 'manage_groups',
  take_over: 'manage_account',
}

/** The permission that somebody lacks for a kind of jobs. */
export function findMissingRight(
  kind: JobKind,
  held: readonly Permission[],
): Permission | undefined {
  const needed: readonly (Permission | undefined)[] = ['manage_devices', furtherRights[kind]]
  return permissions.find((each) => needed.includes(each) && !held.includes(each))
}

/** Throws the 403. */
export function mustBeAllowed(kind: JobKind, { permissions: held }: Caller): void {
  const missing = findMissingRight(kind, held)
  if (missing) throw forbidden(lacksPermission(missing))
}
