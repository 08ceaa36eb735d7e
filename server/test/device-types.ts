import assert from 'node:assert/strict'
import type { ValidRequest } from './requests.ts'
import type { Login, TestService } from './service.ts'

/** For tests: device types that belong to an organization. */

export const thermometer = `function decodeUplink(input) {
  return { data: { temperature: ((input.bytes[0] << 8) | input.bytes[1]) / 10, port: input.fPort } }
}`

/** Makes a type and returns its record. */
export async function addType(
  service: TestService,
  changes: Record<string, unknown> = {},
  as: Login = service.owner,
) {
  const body = {
    type_name: 'Freezer probe',
    part_number: 'FP-1',
    payload_format: 'ts013',
    codec: thermometer,
    ...changes,
  }
  const answer = await service.call('POST', '/v1/device-types', { as, body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}

/** Returns one request for each route of device types. */
export async function deviceTypeRequests(
  service: TestService,
): Promise<Record<string, ValidRequest>> {
  const { id } = await addType(service)
  const path = `/device-types/${id}`
  const stranger = { status: 404, message: 'Device type not found' }
  const input = { hex: '00d7', fPort: 2 }
  const example = { description: 'Room', input, output: { data: { temperature: 21.5, port: 2 } } }
  const body = {
    type_name: 'Probe',
    part_number: 'P-1',
    payload_format: 'ts013',
    codec: thermometer,
    examples: [example],
  }
  return {
    'GET /device-types': { path: '/device-types', status: 200 },
    'POST /device-types': { path: '/device-types', body, status: 201 },
    'GET /device-types/:id': { path, status: 200, stranger },
    'PATCH /device-types/:id': { path, body, status: 200, stranger },
    'DELETE /device-types/:id': {
      path,
      status: 204,
      prepare: async () => ({ path: `/device-types/${(await addType(service)).id}` }),
      stranger,
    },
    'POST /device-types/try': {
      path: '/device-types/try',
      body: { payload_format: 'ts013', codec: thermometer, examples: [example], input },
      status: 200,
    },
    'GET /catalogue': { path: '/catalogue', status: 200 },
    'GET /catalogue/:id': { path: `/catalogue/${id}`, status: 200, stranger },
    'POST /device-types/:id/decode-again': {
      path: `${path}/decode-again`,
      status: 202,
      stranger,
    },
    'POST /device-types/:id/try': {
      path: `${path}/try`,
      body: { input, codec: thermometer },
      status: 200,
      stranger,
    },
  }
}
