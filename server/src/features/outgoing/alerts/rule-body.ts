import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { type FieldErrors, invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import {
  fieldErrors,
  largestInteger,
  optionalText,
  queryTime,
  requiredText,
} from '../../../http/fields.ts'
import { findNetwork } from '../../../networks/index.ts'
import { deviceTypes } from '../../../sensors/index.ts'
import * as typeQueries from '../../fleet/device-types/device-type-queries.ts'
import * as groupQueries from '../../fleet/groups/group-queries.ts'
import { tagChoice } from '../../fleet/inventory/tags.ts'
import {
  type AlertKind,
  type AnySettings,
  alertKinds,
  findFault,
  gatewayKinds,
  type Severity,
  settingsOf,
  severities,
  usualSeverity,
} from './alert-kinds.ts'
import { findCompared } from './reading-queries.ts'
import { findMembers, type RuleValues } from './rule-queries.ts'

/** The longest mute: whoever wants more switches the rule off. */
const longestDays = 366

export const muteBody = z.object(
  withExamples(
    {
      until: queryTime('until')
        .nullable()
        .describe('No notification is sent before; null ends the mute.'),
    },
    { until: '2026-03-02T06:00:00Z' },
  ),
)

export function readUntil({ until }: z.infer<typeof muteBody>, now: Date): Date | null {
  return until && readTimeAhead('until', until, now)
}

/** @throws HttpError 422 for a time that is over, or too far away. */
export function readTimeAhead(field: string, time: Date, now: Date): Date {
  const latest = now.getTime() + longestDays * 24 * 60 * 60 * 1000
  if (time <= now || time.getTime() > latest) {
    throw invalid({ [field]: [`The ${field} must be a time within the next ${longestDays} days.`] })
  }
  return time
}

const mostRecipients = 50

function optionalId(label: string) {
  const error = `The ${label} must be an id, or null.`
  return z.int({ error }).min(1, error).max(largestInteger, error).nullish()
}

function flag(label: string) {
  return z.boolean({ error: `The ${label} must be true or false.` })
}

const recipientsMessage = `The recipients must be up to ${mostRecipients} ids of members.`
const settingsMessage = 'The settings must be an object.'

/** What PATCH takes; POST takes the kind too. */
export const changeFields = withExamples(
  {
    name: requiredText('name', 100).optional(),
    severity: z
      .enum(severities, { error: `The severity must be one of: ${severities.join(', ')}.` })
      .optional()
      .describe('How bad it is. What is left out at first depends on the kind.'),
    settings: z
      .record(z.string(), z.unknown(), { error: settingsMessage })
      .optional()
      .describe(
        'Depends on the kind. What is left out has its usual value, and stays in a change.',
      ),
    device: optionalId('device').describe('Only this device.'),
    group: optionalId('group').describe('Only devices in this group and in the groups below it.'),
    type: optionalId('type').describe('Only devices of this device type.'),
    network: optionalText('network').describe('Only devices or gateways at this network.'),
    tag: tagChoice
      .nullish()
      .describe('Only devices or gateways with this tag: its key, or key and value as `floor:2`.'),
    recipients: z
      .array(z.int({ error: recipientsMessage }).min(1, recipientsMessage), {
        error: recipientsMessage,
      })
      .max(mostRecipients, recipientsMessage)
      .optional()
      .describe('The ids of members who get mails.'),
    tells_back: flag('tells_back').optional().describe('A mail is also sent when it is over.'),
    is_active: flag('is_active').optional(),
  },
  {
    name: 'Silent sensors',
    severity: 'warning' as Severity,
    settings: { missed: 3, at_least_minutes: 60, at_most_minutes: null },
    device: null,
    group: null,
    type: null,
    network: null,
    tag: null,
    recipients: [],
    tells_back: true,
    is_active: true,
  },
)

export const ruleFields = {
  ...changeFields,
  name: requiredText('name', 100).meta({ examples: ['Silent sensors'] }),
  kind: z
    .enum(alertKinds, { error: `The kind must be one of: ${alertKinds.join(', ')}.` })
    .meta({ examples: ['device_silent'] }),
}

const changes = z.object(changeFields)

type Changes = z.infer<typeof changes>

/**
 * The values of a rule after a change; those that are left out stay.
 *
 * @throws HttpError 422 with everything that is wrong. Looks only at what was sent, so that a rule
 *   whose group was deleted can be renamed.
 */
export async function readValues(
  db: Queryable,
  organizationId: number,
  { kind, stored, body }: { kind: AlertKind; stored?: RuleValues | undefined; body: Changes },
): Promise<RuleValues> {
  const errors = await findErrors(db, organizationId, kind, body)
  const settings = readSettings(kind, { ...stored?.settings, ...body.settings }, errors)
  if (settings && body.settings) await findComparedErrors(db, organizationId, settings, errors)
  if (settings === undefined || Object.keys(errors).length > 0) throw invalid(errors)
  const { device, group, type, network, tag } = body
  return {
    name: body.name ?? stored?.name ?? '',
    kind,
    severity: body.severity ?? stored?.severity ?? usualSeverity[kind],
    settings,
    device_id: device === undefined ? (stored?.device_id ?? null) : device,
    group_id: group === undefined ? (stored?.group_id ?? null) : group,
    type_id: type === undefined ? (stored?.type_id ?? null) : type,
    network: network === undefined ? (stored?.network ?? null) : network || null,
    tag: tag === undefined ? (stored?.tag ?? null) : tag || null,
    recipients: [...new Set(body.recipients ?? stored?.recipients ?? [])],
    tells_back: body.tells_back ?? stored?.tells_back ?? true,
    is_active: body.is_active ?? stored?.is_active ?? true,
  }
}

function readSettings(
  kind: AlertKind,
  sent: Record<string, unknown>,
  errors: FieldErrors,
): AnySettings | undefined {
  const result = settingsOf[kind].safeParse(sent)
  if (!result.success) {
    for (const [field, messages] of Object.entries(fieldErrors(result.error))) {
      errors[field === 'body' ? 'settings' : `settings.${field}`] = messages
    }
    return undefined
  }
  const fault = findFault(kind, result.data)
  if (fault) errors[`settings.${fault[0]}`] = [fault[1]]
  return result.data
}

/** What conditions compare with must be there. */
async function findComparedErrors(
  db: Queryable,
  organizationId: number,
  settings: AnySettings,
  errors: FieldErrors,
): Promise<void> {
  if (!('conditions' in settings)) return
  for (const [at, { than }] of settings.conditions.entries()) {
    const place = `settings.conditions.${at}.than`
    if (than?.device && !(await isDevice(db, organizationId, than.device))) {
      errors[`${place}.device`] = ['The selected device is invalid.']
    }
    if (than?.group && !(await groupQueries.find(db, organizationId, than.group))) {
      errors[`${place}.group`] = ['The selected group is invalid.']
    }
  }
}

async function findErrors(
  db: Queryable,
  organizationId: number,
  kind: AlertKind,
  { device, group, type, network, recipients = [] }: Changes,
): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  if (gatewayKinds.includes(kind)) {
    if (device) errors.device = ['The rule is about gateways.']
    if (group) errors.group = ['Gateways are in no group.']
    if (type) errors.type = ['Gateways have no device type.']
  } else {
    if (device && !(await isDevice(db, organizationId, device))) {
      errors.device = ['The selected device is invalid.']
    }
    if (group && !(await groupQueries.find(db, organizationId, group))) {
      errors.group = ['The selected group is invalid.']
    }
    if (type && !(await isType(db, organizationId, type))) {
      errors.type = ['The selected type is invalid.']
    }
  }
  if (network && findNetwork(network)?.key !== network) {
    errors.network = ['The selected network is invalid.']
  }
  const members = await findMembers(db, organizationId, recipients)
  if (recipients.some((id) => !members.has(id))) {
    errors.recipients = [
      'The recipients must be members of the organization who are not limited to a group.',
    ]
  }
  return errors
}

async function isDevice(db: Queryable, organizationId: number, id: number): Promise<boolean> {
  return (await findCompared(db, organizationId, { device: id, group: null })).devices.length > 0
}

async function isType(db: Queryable, organizationId: number, id: number): Promise<boolean> {
  if (deviceTypes.some(({ typeId }) => typeId === id)) return true
  return (await typeQueries.find(db, organizationId, id)) !== undefined
}
