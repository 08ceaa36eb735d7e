import assert from 'node:assert/strict'
import { deviceKey, doorType, euiOf } from './fleet.ts'
import type { Login, TestService } from './service.ts'

/** For tests: jobs, made through the API. */

/** A row of a job that registers a door sensor. */
export function rowOf(number: number, changes: Record<string, unknown> = {}) {
  const { provisioningData, ...others } = changes
  return {
    deviceName: `Device ${number}`,
    deviceId: euiOf(number),
    provisioningData: {
      network: 'chirpstack',
      registerMethod: 'user_account',
      deviceKey,
      deviceTypeId: doorType.id,
      joinEui: '0000000000000000',
      ...(provisioningData as object),
    },
    ...others,
  }
}

export interface TestJob {
  id: number
  state: string
  total: number
  done: number
  failed: number
  [name: string]: unknown
}

/** Sends a job, and waits until it is over or waits for more rows. */
export async function runJob(
  service: TestService,
  body: Record<string, unknown>,
  as: Login = service.owner,
): Promise<TestJob> {
  const answer = await service.call('POST', '/v1/jobs', { as, body })
  assert.equal(answer.status, 202, answer.text)
  return settle(service, answer.body.data.id, as)
}

/** Waits until the runner has nothing to do, and reads the job. */
export async function settle(
  service: TestService,
  id: number,
  as: Login = service.owner,
): Promise<TestJob> {
  await service.services.jobRunner.idle()
  const answer = await service.call('GET', `/v1/jobs/${id}`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

/** Status and message of each row. */
export async function readResults(service: TestService, id: number, query = '') {
  const answer = await service.call('GET', `/v1/jobs/${id}/rows?limit=1000${query}`)
  assert.equal(answer.status, 200, answer.text)
  const rows: { number: number; status: string; message: string }[] = answer.body.data
  return rows.map(({ number, status, message }) => [number, status, message])
}
