import type { Job, JobRow } from '../../jobs/use-jobs.ts'
import { t } from '../../languages/text.ts'

/** The fields of a row that a person can fix, and where they stand in it. */

export type Input = JobRow['input']

export interface RowField {
  /** The name in the API's rows. */
  name: string
  label: string
  /** Within `provisioningData`. */
  isProvisioning?: boolean
  /** An integer for the API. */
  isInteger?: boolean
  /** Never shown; empty keeps what was sent. */
  isSecret?: boolean
  isCode?: boolean
}

const registerFields: readonly RowField[] = [
  { name: 'deviceName', label: t('Name') },
  { name: 'deviceId', label: 'DevEUI', isCode: true },
  { name: 'deviceKey', label: t('Device key'), isProvisioning: true, isSecret: true, isCode: true },
  { name: 'joinEui', label: 'JoinEUI', isProvisioning: true, isCode: true },
  { name: 'network', label: t('Network'), isProvisioning: true },
  { name: 'registerMethod', label: t('Register method'), isProvisioning: true },
  { name: 'accountName', label: t('Account'), isProvisioning: true },
  { name: 'deviceTypeId', label: t('Type (id)'), isProvisioning: true, isInteger: true },
  { name: 'appRegion', label: t('Region'), isProvisioning: true },
  { name: 'frequencyPlan', label: t('Frequency plan'), isProvisioning: true },
  { name: 'gatewayId', label: t('Gateway (id)'), isProvisioning: true, isInteger: true },
  { name: 'group_path', label: t('Group') },
  { name: 'notes', label: t('Notes') },
]

const deviceField: RowField = { name: 'device_id', label: 'DevEUI', isCode: true }
const takenFields: readonly RowField[] = [
  { name: 'device_name', label: t('Name') },
  { name: 'device_type', label: t('Type (id)'), isInteger: true },
]

export function fieldsOf(kind: Job['kind']): readonly RowField[] {
  if (kind === 'register') return registerFields
  if (kind === 'take_over') return takenFields
  return kind === 'rename'
    ? [deviceField, { name: 'device_name', label: t('Name') }]
    : [deviceField]
}

function provisioningOf({ provisioningData }: Input): Record<string, unknown> {
  return typeof provisioningData === 'object' && provisioningData !== null
    ? (provisioningData as Record<string, unknown>)
    : {}
}

/** The text of a field, as it was sent. */
export function textOf(input: Input, { name, isProvisioning }: RowField): string {
  const value = isProvisioning ? provisioningOf(input)[name] : input[name]
  return value === null || value === undefined ? '' : String(value)
}

/** What is sent again: the fields that a person changed. */
export function changesOf(
  kind: Job['kind'],
  input: Input,
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  const provisioning: Record<string, unknown> = {}
  for (const field of fieldsOf(kind)) {
    const text = (texts[field.name] ?? '').trim()
    if (text === textOf(input, field) || (field.isSecret && text === '')) continue
    const value = field.isInteger && /^\d+$/.test(text) ? Number(text) : text || null
    if (field.isProvisioning) provisioning[field.name] = value
    else changes[field.name] = value
  }
  return Object.keys(provisioning).length > 0
    ? { ...changes, provisioningData: provisioning }
    : changes
}

/** As the file has it that the row comes from, if it says so. */
export function numberOf({ number, input: { source_row } }: JobRow): number {
  return typeof source_row === 'number' ? source_row : number
}

export function euiOf({ device_id, deviceId, gateway_id }: Input): string {
  const eui = device_id ?? deviceId ?? gateway_id
  return typeof eui === 'string' ? eui : ''
}

export function nameOf({ device_name, deviceName, gateway_name }: Input): string {
  const name = device_name ?? deviceName ?? gateway_name
  return typeof name === 'string' ? name : ''
}
