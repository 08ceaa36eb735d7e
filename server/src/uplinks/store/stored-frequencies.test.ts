import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectChirpStack, exampleEui, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'

test('the database stores no frequency that an answer can not hold', async (t) => {
  const service = await startTestService(t)
  const { db } = service.services
  const callback = await connectChirpStack(service)
  await addLocalDevice(service, exampleEui)
  await post(service, callback, makeUp())
  for (const frequency of ['0', '4294967296', '100000000000000000']) {
    await assert.rejects(
      db.query('update uplinks set frequency = $1', [frequency]),
      /check constraint/,
    )
  }
})
