import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import { openStream } from '../../../../test/live-stream.ts'
import { startListening, startTestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'

test('each key has an allowance of its own, beside that of who made it', async (t) => {
  const service = await startTestService(t, { apiRateLimit: 3 })
  const one = await makeKey(service)
  const other = await makeKey(service)
  const path = '/v1/get-device-types'
  for (const left of [2, 1, 0]) {
    const { status, headers } = await one.call('GET', path)
    assert.deepEqual([status, headers.ratelimit], [200, `"api";r=${left};t=60`])
  }
  assert.equal((await one.call('GET', path)).status, 429)
  assert.equal((await other.call('GET', path)).status, 200)
  assert.equal((await service.call('GET', path)).status, 200)
})

test('a stream of events ends soon after its key is revoked', async (t) => {
  const service = await startListening(t, { streamCheckInterval: 50 })
  const key = await makeKey(service)
  const stream = await openStream(service, { as: { token: key.text, organizationId: 1 } })
  t.after(stream.close)
  assert.equal(stream.answer.status, 200)
  await service.call('DELETE', `/v1/api-keys/${key.id}`)
  await until(stream.isOver, 'the stream is over')
})
