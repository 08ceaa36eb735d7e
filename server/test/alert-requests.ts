import assert from 'node:assert/strict'
import { addDevice } from './fleet.ts'
import type { ValidRequest } from './requests.ts'
import type { TestService } from './service.ts'

/** For tests: a request for every route of alerts. */
export async function alertRequests(service: TestService): Promise<Record<string, ValidRequest>> {
  const body = { name: 'Refused', kind: 'registration_error' }
  const create = async () => {
    const answer = await service.call('POST', '/v1/alert-rules', { body })
    assert.equal(answer.status, 201, answer.text)
    return { path: `/alert-rules/${answer.body.data.id}`, id: answer.body.data.id as number }
  }
  const { path, id } = await create()
  const alert = `/alerts/${await makeAlert(service, id)}`
  const rule = { status: 200, stranger: { status: 404, message: 'Alert rule not found' } }
  const known = { status: 200, stranger: { status: 404, message: 'Alert not found' } }
  const { id: did } = await addDevice(service, 9_001)
  const device = { status: 200, stranger: { status: 404, message: 'device not found' } }
  const mute = { until: null }
  return {
    'GET /alerts': { path: '/alerts', status: 200 },
    'POST /alerts/acknowledge': { path: '/alerts/acknowledge', body: { ids: [] }, status: 200 },
    'GET /alerts/:alert_id': { path: alert, ...known },
    'POST /alerts/:alert_id/acknowledge': { path: `${alert}/acknowledge`, body: {}, ...known },
    'GET /devices/:device_id/alerts': { path: `/devices/${did}/alerts`, ...device },
    'POST /devices/:device_id/alerts/mute': {
      path: `/devices/${did}/alerts/mute`,
      body: mute,
      ...device,
    },
    'GET /alert-rules': { path: '/alert-rules', status: 200 },
    'POST /alert-rules': { path: '/alert-rules', body, status: 201 },
    'GET /alert-rules/:rule_id': { path, ...rule },
    'PATCH /alert-rules/:rule_id': { path, body: { name: 'Renamed' }, ...rule },
    'POST /alert-rules/:rule_id/mute': { path: `${path}/mute`, body: mute, ...rule },
    'DELETE /alert-rules/:rule_id': {
      path,
      status: 204,
      prepare: create,
      stranger: rule.stranger,
    },
  }
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
