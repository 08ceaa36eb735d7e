import assert from 'node:assert/strict'
import { chirpStackFiles, zipOf } from './catalogues.ts'
import { addType } from './device-types.ts'
import { addDevice, addGateway, addGroup } from './fleet.ts'
import { tinyPlan } from './floor-plans.ts'
import { joinMember, memberPassword } from './members.ts'
import type { TestService } from './service.ts'

/** For tests: the things that the paths of requests name. */

export interface Thing {
  /** Makes one, and returns its id. Without it, the request has an id that nobody has. */
  make?(): Promise<string | number>
  /** The error that others get for it. */
  notFound: string
  /** There is one of it, which other requests delete. */
  isOnly?: true
}

/** Devices are created there by hand. */
export const senetId = 4

/** The things by the parameter of the path, and by the first part of the path before `:id`. */
export function createThings(service: TestService): Record<string, Thing> {
  const { call } = service
  let made = 100
  const next = () => {
    made += 1
    return made
  }
  const post = async (path: string, body: object) => {
    const answer = await call('POST', `/v1${path}`, { body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body.data.id as number
  }
  const makeRule = () => post('/alert-rules', { name: 'Refused', kind: 'registration_error' })
  const makeReport = async () => {
    const me = (await call('GET', '/v1/user/get-org-user/me')).body.data.id
    const series = [{ device_type: 16, quantity: 'air.temperature' }]
    return post('/reports', { name: 'Cold rooms', period: 'weekly', series, recipients: [me] })
  }
  const invite = async () => {
    const body = { email: `guest${next()}@example.test`, permissions: [] }
    await call('POST', '/v1/organization/users', { body })
    const list = await call('GET', '/v1/organization/invitations?itemsPerPage=100')
    return list.body.data.at(-1).id as number
  }
  return {
    device_id: {
      make: async () => (await addDevice(service, next())).id,
      notFound: 'device not found',
    },
    gateway_id: {
      make: async () => (await addGateway(service, next())).id,
      notFound: 'Gateway not found!',
    },
    group_id: { make: () => addGroup(service, 'A'), notFound: 'Group not found' },
    user_id: {
      make: async () => (await joinMember(service, `member${next()}@example.test`)).userId,
      notFound: 'User not found',
    },
    key_id: {
      make: () => post('/api-keys', { name: 'Nobody', permissions: [] }),
      notFound: 'API key not found',
    },
    webhook_id: {
      make: () =>
        post('/webhooks', { name: 'Nobody', url: 'http://127.0.0.1:1/', events: ['uplink'] }),
      notFound: 'Webhook not found',
    },
    job_id: { make: () => makeJob(service), notFound: 'Job not found' },
    report_id: { make: makeReport, notFound: 'Report not found' },
    dashboard_id: {
      make: () => post('/dashboards', { name: 'Cold chain', widgets: [] }),
      notFound: 'Dashboard not found',
    },
    plan_id: {
      make: async () => {
        const group_id = await addGroup(service, 'A')
        return post('/floor-plans', { name: 'Ground floor', group_id, image: tinyPlan })
      },
      notFound: 'Floor plan not found',
    },
    source_id: {
      make: () =>
        post('/device-catalogue/sources', {
          name: 'Nobody',
          archive: zipOf(chirpStackFiles()).toString('base64'),
        }),
      notFound: 'Catalogue not found',
    },
    model_id: {
      make: async () => 'builtin.radio-bridge.16',
      notFound: 'Model not found',
    },
    note_id: { notFound: 'Note not found' },
    rule_id: { make: makeRule, notFound: 'Alert rule not found' },
    // Those of others are nobody's.
    channel_id: { notFound: 'Alert channel not found' },
    subscription_id: { notFound: 'Push subscription not found' },
    alert_id: {
      make: async () => makeAlert(service, await makeRule()),
      notFound: 'Alert not found',
    },
    move_id: {
      make: async () =>
        post(`/devices/${await addMovable(service, next())}/move`, {
          network: senetId,
          registerMethod: 'user_account',
        }),
      notFound: 'Move not found',
    },
    session_id: { notFound: 'Session not found' },
    passkey_id: { notFound: 'Passkey not found' },
    network: {
      make: async () => {
        await connectNowhere(service, 'vendor')
        return 'chirpstack'
      },
      notFound: 'Network account not found',
      isOnly: true,
    },
    'device-types': {
      make: async () => (await addType(service)).id,
      notFound: 'Device type not found',
    },
    catalogue: {
      make: async () => (await addType(service)).id,
      notFound: 'Device type not found',
    },
    organizations: {
      // The name of the example that deletes one.
      make: () => {
        const person = { password: memberPassword, first_name: 'Bo', last_name: 'Owner' }
        const owner = { email: `founder${next()}@example.test`, ...person }
        return post('/organizations', { name: 'Harbour Cold Storage', owner })
      },
      notFound: 'Organization not found',
    },
    'organization/invitations': { make: invite, notFound: 'Invitation not found' },
  }
}

/** A server that does not answer. */
export const channelNowhere = {
  name: 'Nobody',
  kind: 'ntfy',
  settings: { server: 'http://127.0.0.1:1', topic: 'nobody' },
}

/** A browser whose push service does not answer, with the keys of RFC 8291, appendix A. */
export const browserNowhere = {
  name: 'Nobody',
  endpoint: 'http://127.0.0.1:1/push',
  keys: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
}

/** The account of a server that does not answer. */
export const accountNowhere = {
  server: 'http://127.0.0.1:1',
  api_key: 'key',
  tenant_id: '00000000-0000-4000-a000-000000000001',
  application_id: '00000000-0000-4000-a000-000000000002',
  device_profile_id: '00000000-0000-4000-a000-000000000003',
}

/** Connects it to ChirpStack, and returns the callback. */
export async function connectNowhere(service: TestService, register_method: string) {
  const body = { ...accountNowhere, register_method }
  const answer = await service.call('PUT', '/v1/network-accounts/chirpstack', { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.callback
}

/** Makes a job, which is over when it has all its rows. */
export async function makeJob(service: TestService, body: object = {}): Promise<number> {
  const rows = [{ device_id: '00AA00000000DEAD', device_name: 'Nobody' }]
  const answer = await service.call('POST', '/v1/jobs', { body: { kind: 'rename', rows, ...body } })
  assert.equal(answer.status, 202, answer.text)
  await service.services.jobRunner.idle()
  return answer.body.data.id
}

/** A dashboard that can be restored. */
export async function makeDeletedDashboard(service: TestService): Promise<string> {
  const body = { name: 'Deleted', widgets: [] }
  const { id } = (await service.call('POST', '/v1/dashboards', { body })).body.data
  await service.call('DELETE', `/v1/dashboards/${id}`)
  return id
}

/** A link without a password; the token of its address. */
export async function makeLink(service: TestService, body: object = {}): Promise<string> {
  const made = await service.call('POST', '/v1/dashboards', { body: { name: 'A', widgets: [] } })
  const path = `/v1/dashboards/${made.body.data.id}/links`
  const answer = await service.call('POST', path, { body: { name: 'Hall', ...body } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data.url.split('/').at(-1)
}

/** A device that its network has refused can move; one that waits for it cannot. */
export async function addMovable(service: TestService, device: number): Promise<number> {
  return (await addDevice(service, device, { consoleOnly: true })).id
}

/** An alert that was closed, so that no look at the devices changes it. */
async function makeAlert({ services: { db } }: TestService, rule: number): Promise<number> {
  const rows = await db.query<{ id: number }>(
    `insert into alerts (
       organization_id, rule_id, kind, device_id, state, began_at, changed_at, opened_at, closed_at
     )
     select 1, $1, 'registration_error', min(id), 'closed', now(), now(), now(), now()
     from devices where organization_id = 1
     returning id`,
    [rule],
  )
  return rows[0]?.id ?? 0
}
