import assert from 'node:assert/strict'
import { addGroup, addLocalDevice, euiOf } from './fleet.ts'
import type { ValidRequest } from './requests.ts'
import type { TestService } from './service.ts'

/** For tests: a request for every route of jobs. */
export async function jobRequests(service: TestService): Promise<Record<string, ValidRequest>> {
  const rows = [{ device_id: euiOf(0xdead), device_name: 'Nobody' }]
  const create = async (body: Record<string, unknown> = {}) => {
    const all = { kind: 'rename', rows, ...body }
    const answer = await service.call('POST', '/v1/jobs', { body: all })
    assert.equal(answer.status, 202, answer.text)
    await service.services.jobRunner.idle()
    return `/jobs/${answer.body.data.id}`
  }
  const path = await create()
  const device = await addLocalDevice(service, 400)
  const group = await addGroup(service, 'Configured', { selectedDevices: [device] })
  const config_field = { islorawan: 1, config_type: 'general', supervisory_period: 129 }
  const open = async (rest: string) => {
    const fresh = await create({ more: true })
    return { path: `${fresh}${rest}` }
  }
  const start = () => open('/start')
  const append = () => open('/rows')
  const fail = async () => ({ path: `${await create()}/rows` })
  const stranger = { status: 404, message: 'Job not found' }
  const known = { status: 200, stranger }
  return {
    'GET /jobs': { path: '/jobs', status: 200 },
    'POST /fleet/groups/:group_id/configure': {
      ...{ path: `/fleet/groups/${group}/configure`, body: { config_field }, status: 202 },
      stranger: { status: 404, message: 'Group not found' },
    },
    'POST /jobs': { path: '/jobs', body: { kind: 'rename', rows }, status: 202 },
    'GET /jobs/:job_id': { path, ...known },
    'DELETE /jobs/:job_id': { path, ...known },
    'POST /jobs/:job_id/start': { path: `${path}/start`, ...known, prepare: start },
    'GET /jobs/:job_id/rows': { path: `${path}/rows`, ...known },
    'POST /jobs/:job_id/rows': {
      path: `${path}/rows`,
      body: { first: 1, rows },
      ...known,
      prepare: append,
    },
    'PATCH /jobs/:job_id/rows': {
      path: `${path}/rows`,
      body: { rows: [{ number: 1 }] },
      ...known,
      prepare: fail,
    },
    'GET /jobs/:job_id/rows/csv': { path: `${path}/rows/csv`, ...known },
  }
}
