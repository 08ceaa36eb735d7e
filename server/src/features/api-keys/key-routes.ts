/**
 * What API keys may call, by method and URL of the route table. Other routes take the login of a
 * person: a route that is forgotten here refuses keys. The word says what becomes of a key that is
 * limited to a group:
 *
 * - `all`: it is refused, because the route may tell of any device.
 * - `one device`: `:device_id` must be in the group or below it, or it does not exist for the key.
 * - `by group`: the parameter `group` of the list, which includes the groups below, is set to the
 *   key's group; what the client sends must be below that. The route gives nothing of other devices.
 * - `no devices`: the answer says nothing of devices.
 */
type KeyReach = 'all' | 'one device' | 'by group' | 'no devices'

const oneDevice = [
  'GET /devices/:device_id',
  'PATCH /devices/:device_id',
  'DELETE /devices/:device_id',
  'GET /devices/:device_id/uplink',
  'GET /devices/:device_id/configure/create',
  'POST /devices/:device_id/configure',
  'GET /devices/:device_id/configure',
  'DELETE /devices/:device_id/configure/cancel',
  'GET /fleet/devices/:device_id',
  'GET /fleet/devices/:device_id/arrival',
  'GET /devices/:device_id/configure/fields',
  'POST /devices/:device_id/configure/preview',
  'GET /devices/:device_id/downlinks',
  'DELETE /devices/:device_id/downlinks/:downlink_id',
  'GET /devices/:device_id/measurements',
  'GET /devices/:device_id/radio',
  'GET /devices/:device_id/battery',
  'GET /devices/:device_id/alerts',
  'POST /devices/:device_id/alerts/mute',
  'GET /devices/:device_id/uplinks/:uplink_id/frame',
]

const byGroup = [
  'GET /fleet/devices',
  'GET /fleet/devices/ids',
  'GET /fleet/devices/export',
  'GET /fleet/uplinks',
  'GET /fleet/uplinks/export',
  'GET /fleet/uplinks/lines',
  'GET /fleet/downlinks',
]

const noDevices = [
  'GET /get-device-types',
  'GET /catalogue',
  'GET /catalogue/:id',
  'POST /frames/explain',
  'GET /user/get-org-user/me',
]

const all = [
  'GET /devices',
  'POST /devices',
  'POST /batch-device-requests',
  'GET /network-data',
  'GET /device-regions-networks',
  'GET /configurations',
  'GET /devices/all/uplink',
  'POST /devices/all/uplink',

  'GET /gateways',
  'POST /gateways/create',
  'POST /gateways',
  'GET /gateways/:gateway_id',
  'PATCH /gateways/:gateway_id',
  'DELETE /gateways/:gateway_id',
  'POST /gateways/:gateway_id/rotate-token',
  'POST /batch-gateway-requests',

  'GET /device-groups',
  'POST /device-groups',
  'GET /device-groups/:group_id',
  'PATCH /device-groups/:group_id',
  'DELETE /device-groups/:group_id',
  'GET /subscription/check/current',

  'GET /fleet/summary',
  'GET /events',
  'GET /fleet/activity',
  'GET /fleet/billing',

  'GET /network-accounts',
  'GET /network-accounts/:network',
  'PUT /network-accounts/:network',
  'DELETE /network-accounts/:network',
  'POST /network-accounts/:network/rotate',
  'POST /network-accounts/:network/check',
  'GET /network-accounts/:network/quarantine',
  'GET /network-accounts/:network/quarantine/:eui',
  'DELETE /network-accounts/:network/quarantine/:eui',
  'GET /fleet/networks',
  'GET /network-accounts/:network/reconcile',
  'POST /network-accounts/:network/reconcile',

  'GET /device-types',
  'POST /device-types',
  'GET /device-types/:id',
  'PATCH /device-types/:id',
  'DELETE /device-types/:id',
  'POST /device-types/:id/try',
  'POST /device-types/try',

  'GET /fleet/gateways',
  'GET /fleet/gateways/:gateway_id',
  'PATCH /fleet/gateways/:gateway_id',
  'GET /fleet/gateways/:gateway_id/devices',
  'GET /fleet/gateways/:gateway_id/uplinks',
  'GET /fleet/groups',
  'GET /fleet/groups/:group_id',
  'PATCH /fleet/groups/:group_id',
  'POST /fleet/groups/:group_id/devices',

  'GET /jobs',
  'POST /jobs',
  'GET /jobs/:job_id',
  'DELETE /jobs/:job_id',
  'POST /jobs/:job_id/start',
  'GET /jobs/:job_id/rows',
  'POST /jobs/:job_id/rows',
  'PATCH /jobs/:job_id/rows',
  'GET /jobs/:job_id/rows/csv',

  'GET /webhooks',
  'POST /webhooks',
  'GET /webhooks/:webhook_id',
  'PATCH /webhooks/:webhook_id',
  'DELETE /webhooks/:webhook_id',
  'POST /webhooks/:webhook_id/pause',
  'POST /webhooks/:webhook_id/resume',
  'POST /webhooks/:webhook_id/rotate',
  'POST /webhooks/:webhook_id/test',
  'POST /webhooks/:webhook_id/replay',
  'GET /webhooks/:webhook_id/deliveries',
  'GET /webhooks/:webhook_id/waiting',
  'POST /webhooks/:webhook_id/waiting/:delivery_id',

  'GET /alerts',
  'POST /alerts/acknowledge',
  'GET /alerts/:alert_id',
  'POST /alerts/:alert_id/acknowledge',
  'GET /alert-rules',
  'POST /alert-rules',
  'GET /alert-rules/:rule_id',
  'PATCH /alert-rules/:rule_id',
  'DELETE /alert-rules/:rule_id',
  'POST /alert-rules/:rule_id/mute',

  'GET /organization',
  'GET /organization/retention',
  'GET /organization/users',
]

function marked(reach: KeyReach, operations: readonly string[]): [string, KeyReach][] {
  return operations.map((operation) => [operation, reach])
}

export const keyRoutes: Readonly<Record<string, KeyReach | undefined>> = Object.fromEntries([
  ...marked('all', all),
  ...marked('one device', oneDevice),
  ...marked('by group', byGroup),
  ...marked('no devices', noDevices),
])
