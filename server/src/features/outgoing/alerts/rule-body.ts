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
import { groupsBelow } from '../../fleet/inventory/groups-below.ts'
import { havingTag, tagChoice } from '../../fleet/inventory/tags.ts'
import {
  type AlertKind,
  type AnySettings,
  alertKinds,
  findFault,
  type Severity,
  settingsOf,
  severities,
  usualSeverity,
} from './alert-kinds.ts'
import { findMembers, type RuleValues } from './rule-queries.ts'

/**
 * SQL: whether a device is one that the rule `$2` of the organization `$1` is about. `rule` is the
 * row of the rule. The groups are read once, whatever the number of devices.
 */
export const isInScope = `devices.deleted_at is null and devices.is_active
  and (rule.type_id is null or devices.type_id = rule.type_id)
  and (rule.network is null or devices.network = rule.network)
  and (rule.tag is null or ${havingTag('devices.tags', 'rule.tag')})
  and (rule.group_id is null or devices.id in (
    select grouped.device_id from grouped_devices as grouped
    where grouped.organization_id = $1 and grouped.group_id in (
      with recursive ${groupsBelow(
        '$1',
        `(
        select asked.group_id from alert_rules as asked
        where asked.organization_id = $1 and asked.id = $2
      )`,
      )}
      select below.id from below
    )
  ))`

/** SQL: the same of a gateway. */
export const isGatewayInScope = `gateways.deleted_at is null
  and (rule.network is null or gateways.network = rule.network)
  and (rule.tag is null or ${havingTag('gateways.tags', 'rule.tag')})`

/**
 * SQL: a rule has no open alert about the device or the gateway yet. The list is made once and hashed.
 * As `not exists` it was a join whose plan took as many steps as the square of the alerts, right after
 * an outage, when the statistics knew of none yet.
 */
export const hasNoAlert = (column: 'device_id' | 'gateway_id', id: string) => `${id} not in (
    select known.${column} from alerts as known
    where known.organization_id = $1 and known.rule_id = $2 and known.${column} is not null
      and known.state <> 'closed'
  )`

/** Alerts that one transaction opens for a rule. Then the next one follows at once. */
export const mostOpened = 2_000

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
  if (settings === undefined || Object.keys(errors).length > 0) throw invalid(errors)
  const { group, type, network, tag } = body
  return {
    name: body.name ?? stored?.name ?? '',
    kind,
    severity: body.severity ?? stored?.severity ?? usualSeverity[kind],
    settings,
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

async function findErrors(
  db: Queryable,
  organizationId: number,
  kind: AlertKind,
  { group, type, network, recipients = [] }: Changes,
): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  if (kind === 'gateway_silent') {
    if (group) errors.group = ['Gateways are in no group.']
    if (type) errors.type = ['Gateways have no device type.']
  } else {
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

async function isType(db: Queryable, organizationId: number, id: number): Promise<boolean> {
  if (deviceTypes.some(({ typeId }) => typeId === id)) return true
  return (await typeQueries.find(db, organizationId, id)) !== undefined
}
