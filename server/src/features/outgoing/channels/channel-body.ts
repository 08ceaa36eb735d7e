import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { type FieldErrors, invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { fieldErrors, largestInteger, requiredText } from '../../../http/fields.ts'
import type { Outside } from '../../../networks/outside.ts'
import * as groupQueries from '../../fleet/groups/group-queries.ts'
import { tagChoice } from '../../fleet/inventory/tags.ts'
import { findUrlFault } from '../webhooks/webhook-body.ts'
import {
  type AnySettings,
  addressSettings,
  type ChannelKind,
  channelKinds,
  channelSettings,
  smsPlaces,
} from './channel-kinds.ts'
import type { ChannelValues } from './channel-queries.ts'
import type { Severity } from './requests.ts'

const severities = ['info', 'warning', 'critical'] as const
const everyDay = [1, 2, 3, 4, 5, 6, 7]
const mostAfter = 24 * 60

const daysMessage = 'The days must be numbers from 1 (Monday) to 7.'
const groupMessage = 'The group must be an id, or null.'
const afterMessage = `The after_minutes must be an integer from 0 to ${mostAfter}.`
const memberMessage = 'The member must be the id of a member.'

function timeOfDay(label: string) {
  const error = `The ${label} must be a time of day such as 08:00, or null.`
  return z
    .string({ error })
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, error)
    .nullish()
}

function flag(label: string) {
  return z.boolean({ error: `The ${label} must be true or false.` }).optional()
}

/** What PATCH takes; POST takes the kind and the member too. */
export const changeFields = withExamples(
  {
    name: requiredText('name', 100).optional(),
    settings: z
      .record(z.string(), z.unknown(), { error: 'The settings must be an object.' })
      .optional()
      .describe('Depends on the kind. What is left out stays in a change.'),
    severity: z
      .enum(severities, { error: `The severity must be one of: ${severities.join(', ')}.` })
      .optional()
      .describe('Alerts of this severity and worse.'),
    group: z
      .int({ error: groupMessage })
      .min(1, groupMessage)
      .max(largestInteger, groupMessage)
      .nullish()
      .describe('Only devices in this group and in the groups below it.'),
    tag: tagChoice.nullish().describe('Only devices or gateways with all of these tags.'),
    days: z
      .array(z.int({ error: daysMessage }).min(1, daysMessage).max(7, daysMessage), {
        error: daysMessage,
      })
      .min(1, daysMessage)
      .max(7, daysMessage)
      .optional()
      .describe('Days of the week on which messages come, 1 is Monday.'),
    from: timeOfDay('from').describe("When they come, in the member's time zone; null: all day."),
    to: timeOfDay('to').describe('A time before `from` is one of the next day.'),
    after_minutes: z
      .int({ error: afterMessage })
      .min(0, afterMessage)
      .max(mostAfter, afterMessage)
      .optional()
      .describe('Only alerts that nobody has acknowledged so long after others were told.'),
    tells_back: flag('tells_back').describe('A message also comes when it is over.'),
    is_active: flag('is_active'),
  },
  {
    name: 'My phone',
    settings: { server: 'https://ntfy.sh', topic: 'cold-store-4711' },
    severity: 'warning' as Severity,
    group: null,
    tag: null,
    days: [1, 2, 3, 4, 5],
    from: '07:00',
    to: '19:00',
    after_minutes: 0,
    tells_back: true,
    is_active: true,
  },
)

export const channelFields = {
  ...changeFields,
  name: requiredText('name', 100).meta({ examples: ['My phone'] }),
  kind: z
    .enum(channelKinds, { error: `The kind must be one of: ${channelKinds.join(', ')}.` })
    .meta({ examples: ['ntfy'] }),
  member: z
    .int({ error: memberMessage })
    .min(1, memberMessage)
    .max(largestInteger, memberMessage)
    .nullish()
    .describe('Who is told: yourself by default. Another one needs `manage_account`.')
    .meta({ examples: [null] }),
}

const changes = z.object(changeFields)
type Changes = z.infer<typeof changes>

interface Stored {
  values: ChannelValues
  settings: AnySettings
}

/**
 * The values of a channel after a change; those that are left out stay.
 *
 * @throws HttpError 422 with everything that is wrong.
 */
export async function readChannel(
  { db, outside }: { db: Queryable; outside: Outside },
  organizationId: number,
  { kind, body, stored }: { kind: ChannelKind; body: Changes; stored?: Stored },
): Promise<Stored> {
  const errors: FieldErrors = {}
  const settings = readSettings(outside, kind, { ...stored?.settings, ...body.settings }, errors)
  if (body.group && !(await groupQueries.find(db, organizationId, body.group))) {
    errors.group = ['The selected group is invalid.']
  }
  const from = body.from === undefined ? (stored?.values.from_time ?? null) : body.from
  const to = body.to === undefined ? (stored?.values.to_time ?? null) : body.to
  if ((from === null) !== (to === null)) {
    errors[from === null ? 'from' : 'to'] = ['Set both from and to, or neither.']
  }
  if (!settings || Object.keys(errors).length > 0) throw invalid(errors)
  const was = stored?.values
  const values = {
    name: body.name ?? was?.name ?? '',
    severity: body.severity ?? was?.severity ?? 'warning',
    group_id: body.group === undefined ? (was?.group_id ?? null) : body.group,
    tag: body.tag === undefined ? (was?.tag ?? null) : body.tag || null,
    days: [...new Set(body.days ?? was?.days ?? everyDay)].sort(),
    from_time: from,
    to_time: to,
    after_minutes: body.after_minutes ?? was?.after_minutes ?? 0,
    tells_back: body.tells_back ?? was?.tells_back ?? true,
    is_active: body.is_active ?? was?.is_active ?? true,
  }
  return { values, settings }
}

function readSettings(
  outside: Outside,
  kind: ChannelKind,
  sent: Record<string, unknown>,
  errors: FieldErrors,
): AnySettings | undefined {
  const result = channelSettings[kind].safeParse(sent)
  if (!result.success) {
    for (const [field, messages] of Object.entries(fieldErrors(result.error))) {
      errors[field === 'body' ? 'settings' : `settings.${field}`] = messages
    }
    return undefined
  }
  const settings: AnySettings = result.data
  const known: Record<string, unknown> = settings
  for (const name of addressSettings) {
    const address = known[name]
    const fault = typeof address === 'string' ? findAddressFault(outside, address) : undefined
    if (fault) errors[`settings.${name}`] = [fault]
  }
  if (typeof known.body === 'string' && !known.body.includes(smsPlaces.text)) {
    errors['settings.body'] = [`The body must contain ${smsPlaces.text}.`]
  }
  return settings
}

function findAddressFault(outside: Outside, text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return 'The address must begin with https://.'
  return findUrlFault(outside, text)
}
