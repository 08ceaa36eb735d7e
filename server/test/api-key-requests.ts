import assert from 'node:assert/strict'
import type { ValidRequest } from './requests.ts'
import type { TestService } from './service.ts'

/** For tests: a request for every route of API keys. */
export async function apiKeyRequests(service: TestService): Promise<Record<string, ValidRequest>> {
  const body = { name: 'Nobody', permissions: [] }
  const create = async () => {
    const answer = await service.call('POST', '/v1/api-keys', { body })
    assert.equal(answer.status, 201, answer.text)
    return { path: `/api-keys/${answer.body.data.id}` }
  }
  const { path } = await create()
  const stranger = { status: 404, message: 'API key not found' }
  const known = { status: 200, stranger }
  return {
    'GET /api-keys': { path: '/api-keys', status: 200 },
    'POST /api-keys': { path: '/api-keys', body, status: 201 },
    'GET /api-keys/:key_id': { path, ...known },
    'PATCH /api-keys/:key_id': { path, body: { name: 'Renamed' }, ...known },
    'POST /api-keys/:key_id/rotate': { path: `${path}/rotate`, body: {}, ...known },
    'DELETE /api-keys/:key_id': { path, status: 204, prepare: create, stranger },
  }
}
