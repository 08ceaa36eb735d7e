import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  exampleEui,
  makeUp,
  post,
  readExample,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'

const service = await startTestService({ after })
const callback = await connectChirpStack(service)
await addLocalDevice(service, exampleEui)

/** As many as the pool of a test has. */
const poolSize = 10

/** Takes every connection that requests can have, until `release`. */
async function holdConnections(): Promise<{ release(): Promise<void> }> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const held = Array.from({ length: poolSize }, () =>
    service.services.db.transaction(async (tx) => {
      await tx.query('select 1')
      await released
    }),
  )
  return {
    async release() {
      release()
      await Promise.all(held)
    },
  }
}

test('uplinks and events are stored while requests hold every connection of theirs', async () => {
  const { release } = await holdConnections()
  try {
    assert.equal((await post(service, callback, makeUp())).status, 200)
    assert.equal(
      (await post(service, callback, readExample('txack'), { event: 'txack' })).status,
      200,
    )
  } finally {
    await release()
  }
  const { body } = await service.call('GET', '/v1/devices/all/uplink')
  assert.equal(body.meta.total, 1)
})
