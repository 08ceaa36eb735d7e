/** A successful request in the security log (docs/security-log.md). */
interface SecurityEvent {
  /** A function when it depends on the status of the answer. */
  event: string | ((status: number) => string)
  /** Fields of the body that name the target, besides the parameters of the path. */
  target?(body: Record<string, unknown>): object
}

type Body = Record<string, unknown>

const permissions = ({ permissions }: Body) => ({ permissions: listOf(permissions) })
const rights = (body: Body) => ({ ...permissions(body), group: body.group })
const keyValues = ({ name, group, networks, expires_at, ...body }: Body) => ({
  name: textOf(name),
  ...permissions(body),
  group,
  networks: listOf(networks),
  expiresAt: textOf(expires_at),
})
const invitation = (made: string) => (status: number) => (status === 202 ? 'invited' : made)

/** By method and URL of the route table. Logins and resets are logged where the user is known. */
export const securityEvents: Readonly<Record<string, SecurityEvent>> = {
  'GET /logout': { event: 'logged_out' },
  'POST /user/password': { event: 'password_changed' },
  'DELETE /user/sessions': { event: 'sessions_ended' },
  'DELETE /user/sessions/:session_id': { event: 'session_ended' },
  'POST /complete-verification': { event: 'two_factor_enabled' },
  'POST /disable-authentication': { event: 'two_factor_disabled' },
  'POST /user/passkeys': {
    event: 'passkey_added',
    target: ({ name }) => ({ name: textOf(name) }),
  },
  'PATCH /user/passkeys/:passkey_id': {
    event: 'passkey_renamed',
    target: ({ name }) => ({ name: textOf(name) }),
  },
  'DELETE /user/passkeys/:passkey_id': { event: 'passkey_removed' },

  'POST /organization/users': {
    event: invitation('member_added'),
    target: (body) => ({ email: textOf(body.email), ...rights(body) }),
  },
  'PATCH /organization/users/:user_id': { event: 'member_changed', target: rights },
  'DELETE /organization/users/:user_id': { event: 'member_removed' },
  'DELETE /organization/users/:user_id/sessions': { event: 'member_sessions_ended' },
  'DELETE /organization/users/me': { event: 'member_left' },
  'POST /organizations': {
    event: invitation('organization_created'),
    target: ({ name, owner }) => ({
      name: textOf(name),
      email: textOf((owner as Body | undefined)?.email),
    }),
  },
  'PATCH /organizations/:id/limits': {
    event: 'organization_limited',
    target: ({ devices, organizations, requests_per_minute }) => ({
      devices,
      organizations,
      requestsPerMinute: requests_per_minute,
    }),
  },
  'DELETE /organizations/:id': {
    event: 'organization_deleted',
    target: ({ name }) => ({ name: textOf(name) }),
  },
  'PATCH /organization': {
    event: 'organization_changed',
    target: ({ name }) => ({ name: textOf(name) }),
  },
  'PATCH /organization/retention': {
    event: 'retention_changed',
    target: ({ uplink_days }) => ({ uplinkDays: uplink_days }),
  },
  'PATCH /organization/security': {
    event: 'organization_security_changed',
    target: ({ require_two_factor }) => ({ requireTwoFactor: require_two_factor === true }),
  },
  'DELETE /organization/invitations/:id': { event: 'invitation_withdrawn' },
  'POST /organization/invitations/:id/link': { event: 'invitation_link_made' },
  'POST /user/invitations/:id/accept': { event: 'invitation_accepted' },
  'DELETE /user/invitations/:id': { event: 'invitation_declined' },

  'PUT /network-accounts/:network': { event: 'network_account_set' },
  'DELETE /network-accounts/:network': { event: 'network_account_deleted' },
  'POST /network-accounts/:network/rotate': {
    event: 'callback_secret_rotated',
    target: ({ end_former }) => ({ endsFormer: end_former === true }),
  },

  'POST /webhooks': { event: 'webhook_created' },
  'PATCH /webhooks/:webhook_id': { event: 'webhook_changed' },
  'DELETE /webhooks/:webhook_id': { event: 'webhook_deleted' },
  'POST /webhooks/:webhook_id/rotate': {
    event: 'webhook_secret_rotated',
    target: ({ overlap_hours }) => ({ overlapHours: overlap_hours }),
  },

  'POST /api-keys': { event: 'api_key_created', target: keyValues },
  'PATCH /api-keys/:key_id': { event: 'api_key_changed', target: keyValues },
  'DELETE /api-keys/:key_id': { event: 'api_key_revoked' },
  'POST /api-keys/:key_id/rotate': {
    event: 'api_key_rotated',
    target: ({ overlap_hours }) => ({ overlapHours: overlap_hours }),
  },

  'POST /dashboards/:dashboard_id/links': {
    event: 'dashboard_link_created',
    target: ({ name, expires_at, password, hosts }) => ({
      name: textOf(name),
      expiresAt: textOf(expires_at),
      hasPassword: typeof password === 'string',
      hosts: listOf(hosts),
    }),
  },
  'DELETE /dashboards/:dashboard_id/links/:link_id': { event: 'dashboard_link_revoked' },

  'DELETE /devices/:device_id': { event: 'device_deleted' },
  'POST /batch-device-requests': {
    event: 'devices_changed',
    target: ({ devices }) => deletionsIn(devices, 'deviceId'),
  },
  'POST /gateways/:gateway_id/rotate-token': { event: 'gateway_token_rotated' },
  'DELETE /gateways/:gateway_id': { event: 'gateway_deleted' },
  'POST /batch-gateway-requests': {
    event: 'gateways_changed',
    target: ({ gateways }) => deletionsIn(gateways, 'gatewayId'),
  },
  'DELETE /device-groups/:group_id': { event: 'group_deleted' },
  'DELETE /device-types/:id': { event: 'device_type_deleted' },
  'DELETE /subscription': { event: 'subscription_ended' },
}

const mostListed = 100

/** How many items a batch has, and the first of those that it asks to delete. */
function deletionsIn(items: unknown, idName: string): object {
  const list = Array.isArray(items) ? (items as Body[]) : []
  const deleted = list.filter((item) => String(item?.action).toLowerCase() === 'delete')
  const ids = deleted.slice(0, mostListed).map((item) => String(item[idName]).slice(0, 100))
  return { items: list.length, deletions: deleted.length, deleted: ids }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, 255) : undefined
}

function listOf(value: unknown): string[] | undefined {
  return Array.isArray(value)
    ? value.slice(0, 10).map((each) => String(each).slice(0, 100))
    : undefined
}
