import type { Queryable } from '../../../db/connect.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { type FieldErrors, invalid } from '../../../http/errors.ts'
import { fieldErrors } from '../../../http/fields.ts'
import { findNetwork } from '../../../networks/index.ts'
import { deviceTypes } from '../../../sensors/index.ts'
import * as typeQueries from '../../fleet/device-types/device-type-queries.ts'
import * as groupQueries from '../../fleet/groups/group-queries.ts'
import {
  type AlertKind,
  type AnySettings,
  findFault,
  gatewayKinds,
  settingsOf,
  usualSeverity,
} from './alert-kinds.ts'
import { findCompared } from './reading-queries.ts'
import { readActions } from './rule-actions.ts'
import type { RuleChanges } from './rule-body.ts'
import { findMembers, type RuleValues } from './rule-queries.ts'

/**
 * The values of a rule after a change; those that are left out stay.
 *
 * @throws HttpError 422 with everything that is wrong. Looks only at what was sent, so that a rule
 *   whose group was deleted can be renamed.
 */
export async function readValues(
  db: Queryable,
  caller: Caller,
  { kind, stored, body }: { kind: AlertKind; stored?: RuleValues | undefined; body: RuleChanges },
): Promise<RuleValues> {
  const { organizationId } = caller
  const errors = await findErrors(db, organizationId, kind, body)
  const settings = readSettings(kind, { ...stored?.settings, ...body.settings }, errors)
  if (settings && body.settings) await findComparedErrors(db, organizationId, settings, errors)
  const actions = await readActions(db, caller, { kind, stored, body }, errors)
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
    ...actions,
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
  { device, group, type, network, recipients = [] }: RuleChanges,
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
