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
  device_name: t('name'),
  deviceType: t('type'),
  deviceKey: t('key'),
  extra_notes: t('notes'),
  gatewayId: t('gateway'),
  gateway_name: t('name'),
  gateway_ip: t('address'),
  groupName: t('name'),
  selectedDevices: t('devices'),
  selectedGroup: t('group above'),
  parent_id: t('group above'),
  config_field: t('configuration'),
  type_name: t('name'),
  part_number: t('part number'),
  payload_format: t('format'),
  register_method: '',
  action: '',
}

/** "name, key", from the members of the request. */
export function fieldWords({ fields }: Activity): string {
  const words = fields.map((field) => fieldNames[field] ?? field.replaceAll('_', ' '))
  return [...new Set(words)].filter((word) => word !== '').join(', ')
}

const counted: Partial<Record<Activity['kind'], (count: number) => string>> = {
  device: (count) => t('{count, plural, one {# device} other {# devices}}', { count }),
  gateway: (count) => t('{count, plural, one {# gateway} other {# gateways}}', { count }),
  quarantine: (count) => t('{count, plural, one {# message} other {# messages}}', { count }),
  account: (count) => t('{count, plural, one {# difference} other {# differences}}', { count }),
  job: (count) => t('{count, plural, one {# row} other {# rows}}', { count }),
  alert: (count) => t('{count, plural, one {# alert} other {# alerts}}', { count }),
  request: (count) => t('{count, plural, other {# more}}', { count }),
}

const things = (count: number) => t('{count, plural, one {# thing} other {# things}}', { count })

/** "12 devices", if the change was of many. */
export function countWords({ kind, count }: Activity): string {
  return count === null ? '' : (counted[kind] ?? things)(count)
}

/** "DELETE /devices/:device_id (403)". */
export function refusalWords({ operation, status }: Activity): string {
  return operation === null ? t('other requests') : `${operation} (${status})`
}
