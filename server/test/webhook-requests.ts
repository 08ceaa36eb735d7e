import assert from 'node:assert/strict'
import type { ValidRequest } from './requests.ts'
import type { TestService } from './service.ts'

/** For tests: a request for every route of webhooks. Nothing listens at their address. */
export async function webhookRequests(service: TestService): Promise<Record<string, ValidRequest>> {
  const body = { name: 'Nobody', url: 'http://127.0.0.1:1/', events: ['uplink'] }
  const create = async () => {
    const answer = await service.call('POST', '/v1/webhooks', { body })
    assert.equal(answer.status, 201, answer.text)
    return { path: `/webhooks/${answer.body.data.id}` }
  }
  const { path } = await create()
  const stranger = { status: 404, message: 'Webhook not found' }
  const known = { status: 200, stranger }
  return {
    'GET /webhooks': { path: '/webhooks', status: 200 },
    'POST /webhooks': { path: '/webhooks', body, status: 201 },
    'GET /webhooks/:webhook_id': { path, ...known },
    'PATCH /webhooks/:webhook_id': { path, body: { name: 'Renamed' }, ...known },
    'POST /webhooks/:webhook_id/pause': { path: `${path}/pause`, ...known },
    'POST /webhooks/:webhook_id/resume': { path: `${path}/resume`, body: {}, ...known },
    'POST /webhooks/:webhook_id/rotate': { path: `${path}/rotate`, body: {}, ...known },
    'POST /webhooks/:webhook_id/test': { path: `${path}/test`, ...known },
    'POST /webhooks/:webhook_id/replay': {
      path: `${path}/replay`,
      body: { dead_letters: true },
      status: 202,
      stranger,
    },
    'GET /webhooks/:webhook_id/deliveries': { path: `${path}/deliveries`, ...known },
    'GET /webhooks/:webhook_id/waiting': { path: `${path}/waiting`, ...known },
    // No delivery has this id.
    'POST /webhooks/:webhook_id/waiting/:delivery_id': {
      path: `${path}/waiting/0`,
      body: {},
      status: 404,
      stranger,
    },
    'DELETE /webhooks/:webhook_id': { path, status: 204, prepare: create, stranger },
  }
}
