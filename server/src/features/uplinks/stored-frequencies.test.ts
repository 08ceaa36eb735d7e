import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  connectChirpStack,
  makeUp,
  post,
  registerDevice,
} from '../../../test/chirpstack-uplinks.ts'
import { startTestService } from '../../../test/service.ts'

test('the database stores no frequency that an answer can not hold', async (t) => {
  const service = await startTestService(t)
  const { db } = service.services
  const callback = await connectChirpStack(service)
  await registerDevice(service)
  await post(service, callback, makeUp())
  for (const frequency of ['0', '4294967296', '100000000000000000']) {
    await assert.rejects(
      db.query('update uplinks set frequency = $1', [frequency]),
      /check constraint/,
    )
  }
})
