import assert from 'node:assert/strict'
import { addDevice } from './fleet.ts'
import type { ValidRequest } from './requests.ts'
import type { TestService } from './service.ts'

/** For tests: a request for every route of moves between networks. */
export async function moveRequests(service: TestService): Promise<Record<string, ValidRequest>> {
  // A device refused by its network can move; one that waits for it cannot.
  let next = 300
  const body = { network: senetId, registerMethod: 'user_account' }
  const addMovable = async () => {
    next += 1
    const { id } = await addDevice(service, next, { consoleOnly: true })
    return { path: `/devices/${id}/move` }
  }
  const start = async () => {
    const { path } = await addMovable()
    const answer = await service.call('POST', `/v1${path}`, { body })
    assert.equal(answer.status, 200, answer.text)
    return { path: `/moves/${answer.body.data.id}` }
  }
  const { path } = await start()
  const stranger = { status: 404, message: 'Move not found' }
  const foreign = { status: 404, message: 'device not found' }
  const first = await addMovable()
  return {
    'POST /devices/:device_id/move': {
      ...{ path: first.path, body, status: 200, prepare: addMovable, stranger: foreign },
    },
    'GET /moves': { path: '/moves', status: 200 },
    'GET /moves/:move_id': { path, status: 200, stranger },
    'DELETE /moves/:move_id': { path, status: 200, stranger, prepare: start },
  }
}

/** Devices are created there by hand. */
export const senetId = 4
