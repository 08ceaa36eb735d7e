/**
 * What API keys may call, by method and URL of the route table. Other routes take the login of a
 * person: a route that is forgotten here refuses keys. The word says what becomes of a key, or of a
 * member, that is limited to a group:
 *
 * - `all`: it is refused, because the route may tell of any device.
 * - `one device`: `:device_id` must be in the group or below it, or it does not exist for the caller.
 * - `one group`: `:group_id` must be the group or below it, likewise. The handler tells nothing of the
 *   groups above.
 * - `by group`: the parameter `group` of the list, which includes the groups below, is set to the
 *   caller's group; what the client sends must be below that. The route gives nothing of other
 *   devices.
 * - `kept`: the handler keeps to `groupId` of the caller.
 * - `no devices`: the answer says nothing of devices.
 */
type Reach = 'all' | 'one device' | 'one group' | 'by group' | 'kept' | 'no devices'

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
  'POST /devices/:device_id/downlink',
  'DELETE /devices/:device_id/downlinks/:downlink_id',
  'POST /devices/:device_id/move',
  'GET /devices/:device_id/measurements',
  'GET /devices/:device_id/variables',
  'PUT /devices/:device_id/variables',
  'GET /devices/:device_id/radio',
  'GET /devices/:device_id/battery',
  'GET /devices/:device_id/airtime',
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
  'GET /fleet/coverage',
  'GET /fleet/coverage/devices',
  'GET /events',
]

const oneGroup = ['GET /fleet/groups/:group_id']

const kept = ['GET /devices', 'GET /fleet/groups']

const noDevices = [
  'GET /get-device-types',
  'GET /catalogue',
  'GET /catalogue/:id',
  'POST /frames/explain',
  'GET /user/get-org-user/me',
]

/** They take the login of a person, and say nothing of devices. */
const personal = [
  'GET /user/preferences',
  'PUT /user/preferences',
  'PATCH /user/preferences',
  'POST /user/password',
  'GET /user/sessions',
  'DELETE /user/sessions',
  'DELETE /user/sessions/:session_id',
  'POST /confirm-password-access',
  'POST /generate-qr-image',
  'POST /verify-two-factor-authentication',
  'POST /complete-verification',
  'POST /disable-authentication',
  'DELETE /organization/users/me',
]

const all = [
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
  'GET /get-devices-summary',
  'POST /get-devices-summary',
  'GET /groups',
  'GET /groups/:group_id',
  'POST /batch-group-requests',
  'GET /subscription/check/current',

  'GET /fleet/summary',
  'GET /fleet/activity',
  'GET /fleet/activity/export',
  'GET /fleet/activity/lines',
  'GET /fleet/activity/verification',
  'GET /fleet/billing',

  'GET /network-accounts',
  'GET /network-accounts/:network',
  'PUT /network-accounts/:network',
  'DELETE /network-accounts/:network',
  'POST /network-accounts/:network/rotate',
  'POST /network-accounts/:network/check',
  'GET /network-accounts/:network/profiles',
  'PUT /network-accounts/:network/profiles',
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
  'POST /device-types/:id/decode-again',
  'POST /device-types/try',

  'GET /fleet/gateways',
  'GET /fleet/gateways/:gateway_id',
  'PATCH /fleet/gateways/:gateway_id',
  'GET /fleet/gateways/:gateway_id/devices',
  'GET /fleet/gateways/:gateway_id/uplinks',
  'GET /fleet/gateways/:gateway_id/radio',
  'GET /fleet/gateways/:gateway_id/sole-devices',
  'PATCH /fleet/groups/:group_id',
  'POST /fleet/groups/:group_id/devices',
  'POST /fleet/groups/:group_id/configure',

  'GET /jobs',
  'POST /jobs',
  'GET /jobs/:job_id',
  'DELETE /jobs/:job_id',
  'POST /jobs/:job_id/start',
  'GET /jobs/:job_id/rows',
  'POST /jobs/:job_id/rows',
  'PATCH /jobs/:job_id/rows',
  'GET /jobs/:job_id/rows/csv',

  'GET /moves',
  'GET /moves/:move_id',
  'DELETE /moves/:move_id',

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
  'GET /organization/security',
  'GET /organization/users',
]

function marked(reach: Reach, operations: readonly string[]): [string, Reach][] {
  return operations.map((operation) => [operation, reach])
}

export const keyRoutes: Readonly<Record<string, Reach | undefined>> = Object.fromEntries([
  ...marked('all', all),
  ...marked('one device', oneDevice),
  ...marked('one group', oneGroup),
  ...marked('by group', byGroup),
  ...marked('kept', kept),
  ...marked('no devices', noDevices),
])

/** What whoever is limited to a group may call; the rest is refused. */
export const limitedRoutes: typeof keyRoutes = {
  ...keyRoutes,
  ...Object.fromEntries(marked('no devices', personal)),
}
