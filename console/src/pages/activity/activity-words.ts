import type { Answer } from '../../api/client.ts'
import { t } from '../../languages/text.ts'

export type Activity = Answer<'GET /fleet/activity'>['data'][number]

export const kindNames: Record<Activity['kind'], string> = {
  device: t('Device'),
  gateway: t('Gateway'),
  group: t('Group'),
  dashboard: t('Dashboard'),
  floor_plan: t('Floor plan'),
  downlink: t('Downlink'),
  device_type: t('Device type'),
  account: t('Network account'),
  quarantine: t('Quarantine'),
  member: t('Member'),
  organization: t('Organization'),
  billing: t('Billing'),
  job: t('Job'),
  webhook: t('Webhook'),
  api_key: t('API key'),
  alert: t('Alert'),
  alert_rule: t('Alert rule'),
  report: t('Report'),
  alert_channel: t('Alert channel'),
  request: t('Request'),
}

/** The members of requests, in the words of the console. */
const fieldNames: Record<string, string> = {
  device_name: 'name',
  deviceType: 'type',
  deviceKey: 'key',
  extra_notes: 'notes',
  gatewayId: 'gateway',
  gateway_name: 'name',
  gateway_ip: 'address',
  groupName: 'name',
  selectedDevices: 'devices',
  selectedGroup: 'group above',
  parent_id: 'group above',
  config_field: 'configuration',
  type_name: 'name',
  part_number: 'part number',
  payload_format: 'format',
  register_method: '',
  action: '',
}

/** "name, key", from the members of the request. */
export function fieldWords({ fields }: Activity): string {
  const words = fields.map((field) => fieldNames[field] ?? field.replaceAll('_', ' '))
  return [...new Set(words)].filter((word) => word !== '').join(', ')
}

const plurals: Partial<Record<Activity['kind'], string>> = {
  device: 'devices',
  gateway: 'gateways',
  quarantine: 'messages',
  account: 'differences',
  job: 'rows',
  alert: 'alerts',
  request: 'more',
}

/** "12 devices", if the change was of many. */
export function countWords({ kind, count }: Activity): string {
  return count === null ? '' : `${count} ${plurals[kind] ?? 'things'}`
}

/** "DELETE /devices/:device_id (403)". */
export function refusalWords({ operation, status }: Activity): string {
  return operation === null ? 'other requests' : `${operation} (${status})`
}
