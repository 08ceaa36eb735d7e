import assert from 'node:assert/strict'
import { keyOf, type Place } from './id-places.ts'

export type ForeignKind =
  | 'device'
  | 'deviceEui'
  | 'gateway'
  | 'gatewayEui'
  | 'group'
  | 'type'
  | 'member'
  | 'invitation'
  | 'organization'
  | 'account'
  | 'webhook'
  | 'delivery'
  | 'apiKey'
  | 'rule'
  | 'dashboard'
  | 'link'
  | 'report'
  | 'channel'
  | 'subscription'
  | 'plan'
  | 'photo'
  | 'note'
  | 'catalogue'
  | 'alert'
  | 'job'
  | 'move'
  | 'downlink'
  | 'uplink'
  | 'session'
  | 'passkey'

/** What the names of places mean. A name that is not here fails the test. */
const kindOf: Record<string, ForeignKind | 'none'> = {
  ...kindsOf('device', 'device', 'device_id', 'add', 'remove', 'selectedDevices'),
  ...kindsOf('deviceEui', 'deviceId', 'devices', 'eui', 'subject'),
  ...kindsOf('gateway', 'gatewayId', 'gateway_id', 'deviceGateway'),
  ...kindsOf('gatewayEui', 'gatewayEui', 'gateway_eui'),
  ...kindsOf('group', 'group', 'groupId', 'group_id', 'groups', 'parent_id', 'selectedGroup'),
  ...kindsOf('type', 'type', 'deviceType', 'deviceTypeId', 'device_type'),
  ...kindsOf('member', 'user', 'user_id', 'recipients', 'assignee', 'member'),
  ...kindsOf('account', 'accountName', 'account_name'),
  ...kindsOf('webhook', 'webhook', 'webhook_id'),
  ...kindsOf('delivery', 'delivery_id'),
  ...kindsOf('apiKey', 'key_id'),
  ...kindsOf('rule', 'rule', 'rule_id'),
  ...kindsOf('dashboard', 'dashboard_id', 'more_dashboards'),
  ...kindsOf('link', 'link_id'),
  ...kindsOf('report', 'report_id'),
  ...kindsOf('channel', 'channel_id'),
  ...kindsOf('subscription', 'subscription_id'),
  ...kindsOf('plan', 'plan', 'plan_id'),
  ...kindsOf('photo', 'photo_id'),
  ...kindsOf('note', 'note_id'),
  ...kindsOf('catalogue', 'source_id'),
  ...kindsOf('alert', 'alert_id'),
  ...kindsOf('job', 'job_id'),
  ...kindsOf('move', 'move_id'),
  ...kindsOf('downlink', 'downlink_id'),
  ...kindsOf('uplink', 'uplink_id'),
  ...kindsOf('session', 'session_id'),
  ...kindsOf('passkey', 'passkey_id'),
  ...kindsOf(
    'none',
    // What a network gave, or what the sender chooses.
    ...['access_key_id', 'api_key', 'application_id', 'as_id', 'as_key', 'base_station_model_id'],
    ...['brand_id', 'client_id', 'client_key', 'cluster_id', 'connection_id', 'customer_id'],
    ...['device_group_id', 'device_model_id', 'device_profile', 'device_profile_id'],
    'model_id',
    ...['export_config_group_id', 'fleet_id', 'gateway_profile', 'more_application_ids'],
    ...['mqtt_username', 'network_id', 'organization_id', 'profile_id', 'secret_access_key'],
    ...['service_profile_id', 'tenant_id', 'username', 'zoneId', 'zone_id', 'loriotGateway'],
    ...['loriot_gateway', 'network_key_4Gateway', '<network_key_4>Gateway', 'deviceProfile'],
    ...[
      'deviceKey',
      'device_key',
      'network_key',
      'networkKey',
      'joinEui',
      'join_eui',
      'deviceName',
      'device_name',
    ],
    'actions_per_hour',
    ...['group_by', 'profile'],
    ...['gatewayName', 'gateway_name', 'gatewayIp', 'gateway_ip', 'groupName', 'group_path'],
    // Networks and words, numbers, and places in lists.
    ...['network', 'gatewayBridge', 'gateway_bridge', 'gatewayType', 'keys', 'islorawan'],
    ...[
      'bytes',
      'fPort',
      'f_port',
      'first',
      'hours',
      'index',
      'rotate_seconds',
      'index',
      'itemsPerPage',
      'last',
      'limit',
      'number',
    ],
    ...[
      'offset',
      'overlap_hours',
      'page',
      'points',
      'silent',
      'uplink_days',
      'valid_seconds',
      'window_hours',
    ],
    ...['gateways', 'after', 'before', 'source_row', 'x', 'y', 'w', 'h', 'decimals', 'most'],
    'revision',
    ...['gateways', 'after', 'before', 'source_row', 'days', 'after_minutes'],
    ...['organizations', 'requests_per_minute', 'decimals', 'min', 'max'],
  ),
}

/** Where a place means something else than its name. */
const exceptions: Record<string, ForeignKind | 'none'> = {
  'GET /alerts query gateway': 'gateway',
  'GET /notes query gateway': 'gateway',
  'GET /network-data query gateway': 'none',
  'PUT /network-accounts/:network body user_id': 'none',
  'POST /network-accounts/:network/check body user_id': 'none',
  'POST /network-accounts/:network/choices body user_id': 'none',
  'POST /alerts/acknowledge body ids.[]': 'alert',
  'GET /fleet/devices query ids': 'device',
  'GET /fleet/devices/ids query ids': 'device',
  'GET /fleet/devices/places query ids': 'device',
  'GET /fleet/devices/export query ids': 'device',
  'POST /jobs body filter.ids': 'device',
  'PATCH /organizations/:id/limits body devices': 'none',
  // What the browser calls a passkey.
  'POST /user/passkeys body credential.id': 'none',
  'POST /user/passkeys body credential.rawId': 'none',
  'POST /user/passkeys body credential.type': 'none',
  // A kind of form.
  'GET /configurations query type': 'none',
  // A field of the form, which is not read.
  'POST /devices/:device_id/configure body deviceId': 'none',
}

/** What `:id` is in a path, by how the path begins. */
const kindOfId: Record<string, ForeignKind> = {
  ...kindsOf('type', 'device-types', 'catalogue'),
  ...kindsOf('invitation', 'organization/invitations', 'user/invitations'),
  ...kindsOf('organization', 'organizations'),
}

function kindsOf<K extends ForeignKind | 'none'>(kind: K, ...names: string[]): Record<string, K> {
  return Object.fromEntries(names.map((name) => [name, kind]))
}

/** What an id at this place names; `none` if it is no id of the service. */
export function meaningOf(operation: string, place: Place): ForeignKind | 'none' {
  const [, before = ''] = / \/(.*?)\/:id\b/.exec(operation) ?? []
  const own = keyOf(place) === 'path id' ? kindOfId[before] : kindOf[place.name]
  const kind = exceptions[`${operation} ${keyOf(place)}`] ?? own
  assert.ok(kind, `${operation}: say in server/test/id-meanings.ts what ${keyOf(place)} means`)
  return kind
}
