import {
  type ChangingRoute,
  changeBy,
  changeOf,
  changesOfBatch,
  dataOf,
  textOf,
} from './changes.ts'

const device = { kind: 'device', param: 'device_id' } as const
const gateway = { kind: 'gateway', param: 'gateway_id' } as const
const group = { kind: 'group', param: 'group_id' } as const
const deviceType = { kind: 'device_type', param: 'id' } as const
const member = { kind: 'member', param: 'user_id' } as const
const webhook = { kind: 'webhook', param: 'webhook_id' } as const
const apiKey = { kind: 'api_key', param: 'key_id' } as const
const alertRule = { kind: 'alert_rule', param: 'rule_id' } as const
const invitation = { kind: 'invitation', param: 'id' } as const
const verbs = { create: 'registered', update: 'changed', delete: 'deleted' }

/** Only where it was still possible. */
const cancelled: ChangingRoute = {
  about: device,
  describe: (done) => {
    const isDone = done.answer.status === true || dataOf(done).outcome === 'cancelled'
    return isDone ? changeOf('downlink', 'cancelled', device).describe(done) : []
  },
}

/** A change of a network's account. */
function ofAccount(action: string): ChangingRoute {
  return changeBy(({ params, body }) => ({
    kind: 'account',
    action,
    subject: textOf(params.network),
    fields: Object.keys(body),
  }))
}

function joined(action: 'added' | 'created', kind: 'member' | 'organization'): ChangingRoute {
  return changeBy((done) => {
    const { email, name, id, status } = dataOf(done)
    const isInvited = status === 'invited'
    const subject = isInvited ? undefined : textOf(id)
    const words = kind === 'member' ? email : (done.body.name ?? name)
    return { kind, action: isInvited ? 'invited' : action, subject, name: textOf(words) }
  })
}

/** A dry run changes nothing. What a job does is told by its rows. */
function ofJob(action: string): ChangingRoute {
  return changeBy((done) => {
    const { id, kind, title, total, dry_run } = dataOf(done)
    if (dry_run === true && action === 'started') return undefined
    const name = textOf(title) ?? textOf(kind)
    const change = {
      kind: 'job',
      action,
      subject: textOf(id),
      name,
      fields: [String(kind)],
    } as const
    // Further rows follow.
    return done.body.more === true ? change : { ...change, count: Number(total ?? 0) }
  })
}

/** What changes an organization, by method and URL. All other routes change nothing to tell. */
export const changingRoutes: Readonly<Record<string, ChangingRoute>> = {
  'POST /devices': changeBy(({ body, answer }) =>
    'device' in answer
      ? {
          kind: 'device',
          action: 'registered',
          subject: textOf(body.deviceId)?.toUpperCase(),
          name: textOf(body.deviceName),
        }
      : undefined,
  ),
  'PATCH /devices/:device_id': changeOf('device', 'changed', device),
  'PUT /devices/:device_id/variables': changeOf('device', 'changed', device),
  'DELETE /devices/:device_id': changeOf('device', 'deleted', device),
  'POST /batch-device-requests': changesOfBatch('device', 'devices', verbs),

  'POST /devices/:device_id/move': changeOf('device', 'moved', device),
  'DELETE /moves/:move_id': changeBy((done) => {
    const { device, state } = dataOf(done) as Record<string, unknown>
    const isBack = state === 'putting_back' || state === 'cancelled'
    if (!isBack || typeof device !== 'object' || device === null) return undefined
    const moved = device as Record<string, unknown>
    const [subject, name] = [textOf(moved.device_id), textOf(moved.device_name)]
    return { kind: 'device', action: 'kept at its network', subject, name }
  }),

  'POST /devices/:device_id/configure': changeOf('downlink', 'queued', device),
  'POST /devices/:device_id/downlink': changeOf('downlink', 'queued', device),
  'DELETE /devices/:device_id/configure/cancel': cancelled,
  'DELETE /devices/:device_id/downlinks/:downlink_id': cancelled,

  'POST /gateways': changeBy(({ body }) => ({
    kind: 'gateway',
    action: 'registered',
    subject: textOf(body.gateway_eui)?.toUpperCase(),
    name: textOf(body.gateway_name),
  })),
  'PATCH /fleet/gateways/:gateway_id': changeOf('gateway', 'changed', gateway),
  'PATCH /gateways/:gateway_id': changeOf('gateway', 'changed', gateway),
  'DELETE /gateways/:gateway_id': changeOf('gateway', 'deleted', gateway),
  'POST /gateways/:gateway_id/rotate-token': changeOf('gateway', 'given a new token', gateway),
  'POST /batch-gateway-requests': changesOfBatch('gateway', 'gateways', verbs),

  'POST /device-groups': changeBy((done) => ({
    kind: 'group',
    action: 'created',
    subject: textOf(dataOf(done).id),
    name: textOf(done.body.groupName),
  })),
  'PATCH /device-groups/:group_id': changeOf('group', 'changed', group),
  'PATCH /fleet/groups/:group_id': changeOf('group', 'changed', group),
  'POST /fleet/groups/:group_id/devices': changeOf('group', 'changed', group),
  'DELETE /device-groups/:group_id': changeOf('group', 'deleted', group),

  'POST /batch-group-requests': changesOfBatch('group', 'groups', {
    create: 'created',
    update: 'changed',
    delete: 'deleted',
  }),

  'POST /fleet/groups/:group_id/configure': ofJob('started'),
  'POST /jobs': ofJob('started'),
  'POST /jobs/:job_id/start': ofJob('started'),
  'DELETE /jobs/:job_id': ofJob('cancelled'),

  'POST /device-types': changeBy((done) => ({
    kind: 'device_type',
    action: 'created',
    subject: textOf(dataOf(done).id),
    name: textOf(done.body.type_name),
  })),
  'PATCH /device-types/:id': changeOf('device_type', 'changed', deviceType),
  'POST /device-types/:id/decode-again': changeOf('device_type', 'decoded', deviceType),
  'DELETE /device-types/:id': changeOf('device_type', 'deleted', deviceType),

  'PUT /network-accounts/:network': ofAccount('saved'),
  'DELETE /network-accounts/:network': ofAccount('disconnected'),
  'PUT /network-accounts/:network/profiles': ofAccount('given profiles'),
  'POST /network-accounts/:network/rotate': ofAccount('given a new secret'),
  'POST /network-accounts/:network/reconcile': changeBy((done) => {
    const { done: count = 0 } = (dataOf(done).outcome ?? {}) as { done?: number }
    const subject = textOf(done.params.network)
    return count > 0 ? { kind: 'account', action: 'reconciled', subject, count } : undefined
  }),
  'DELETE /network-accounts/:network/quarantine/:eui': changeBy((done) => ({
    kind: 'quarantine',
    action: 'dropped',
    subject: textOf(done.params.eui) ?? '--',
    count: Number(dataOf(done).dropped ?? 0),
  })),

  'POST /webhooks': changeBy((done) => ({
    kind: 'webhook',
    action: 'created',
    subject: textOf(dataOf(done).id),
    name: textOf(done.body.name),
  })),
  'PATCH /webhooks/:webhook_id': changeOf('webhook', 'changed', webhook),
  'DELETE /webhooks/:webhook_id': changeOf('webhook', 'deleted', webhook),
  'POST /webhooks/:webhook_id/pause': changeOf('webhook', 'paused', webhook),
  'POST /webhooks/:webhook_id/resume': changeOf('webhook', 'resumed', webhook),
  'POST /webhooks/:webhook_id/rotate': changeOf('webhook', 'given a new secret', webhook),
  'POST /webhooks/:webhook_id/replay': changeOf('webhook', 'replayed', webhook),
  'POST /webhooks/:webhook_id/waiting/:delivery_id': changeOf('webhook', 'replayed', webhook),

  'POST /api-keys': changeBy((done) => ({
    kind: 'api_key',
    action: 'created',
    subject: textOf(dataOf(done).id),
    name: textOf(done.body.name),
  })),
  'PATCH /api-keys/:key_id': changeOf('api_key', 'changed', apiKey),
  'DELETE /api-keys/:key_id': changeOf('api_key', 'revoked', apiKey),
  'POST /api-keys/:key_id/rotate': changeOf('api_key', 'rotated', apiKey),

  'POST /alert-rules': changeBy((done) => ({
    kind: 'alert_rule',
    action: 'created',
    subject: textOf(dataOf(done).id),
    name: textOf(done.body.name),
  })),
  'PATCH /alert-rules/:rule_id': changeOf('alert_rule', 'changed', alertRule),
  'DELETE /alert-rules/:rule_id': changeOf('alert_rule', 'deleted', alertRule),
  'POST /alert-rules/:rule_id/mute': changeOf('alert_rule', 'muted', alertRule),
  'POST /alerts/:alert_id/acknowledge': changeBy((done) => ({
    kind: 'alert',
    action: 'acknowledged',
    subject: textOf(dataOf(done).id),
    name: textOf(dataOf(done).rule_name),
  })),
  'POST /alerts/acknowledge': changeBy((done) => {
    const count = Number(dataOf(done).acknowledged ?? 0)
    return count > 0 ? { kind: 'alert', action: 'acknowledged', count } : undefined
  }),
  'POST /devices/:device_id/alerts/mute': changeOf('device', 'muted', device),

  'POST /subscription': changeBy(({ body }) => ({
    kind: 'billing',
    action: 'started',
    name: textOf(body.plan_code),
  })),
  'DELETE /subscription': changeBy(() => ({ kind: 'billing', action: 'ended' })),

  'PATCH /organization': changeBy(({ body }) => ({
    kind: 'organization',
    action: 'changed',
    fields: Object.keys(body),
  })),
  'PATCH /organization/retention': changeBy(({ body }) => ({
    kind: 'organization',
    action: 'changed',
    fields: Object.keys(body),
  })),
  'PATCH /organization/security': changeBy(({ body }) => ({
    kind: 'organization',
    action: 'changed',
    fields: Object.keys(body),
  })),
  'POST /organizations': joined('created', 'organization'),
  'PATCH /organizations/:id/limits': changeBy((done) => ({
    kind: 'organization',
    action: 'limited',
    subject: textOf(done.params.id),
    name: textOf(dataOf(done).name),
    fields: Object.keys(done.body),
  })),
  'DELETE /organizations/:id': changeBy(({ params, body }) => ({
    kind: 'organization',
    action: 'deleted',
    subject: textOf(params.id),
    name: textOf(body.name),
  })),
  'POST /organization/users': joined('added', 'member'),
  'DELETE /organization/users/me': changeBy(() => ({ kind: 'member', action: 'left' })),
  'PATCH /organization/users/:user_id': changeOf('member', 'changed', member),
  'DELETE /organization/users/:user_id': changeOf('member', 'removed', member),
  'DELETE /organization/users/:user_id/sessions': changeOf('member', 'logged out', member),
  'DELETE /organization/invitations/:id': changeOf('member', 'uninvited', invitation),
}
