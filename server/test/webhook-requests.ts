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
    'DELETE /webhooks/:webhook_id': { path, status: 204, prepare: create, stranger },
  }
}
