import assert from 'node:assert/strict'
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
