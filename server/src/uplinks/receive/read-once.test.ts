import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  exampleEui,
  post,
  readExample,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startListening } from '../../../test/service.ts'
import { findNetwork } from '../../networks/index.ts'

const service = await startListening({ after })
const callback = await connectChirpStack(service)
await addLocalDevice(service, exampleEui)
const network = findNetwork('chirpstack')
assert.ok(network)

for (const event of ['up', 'join', 'ack', 'txack', 'status', 'log']) {
  test(`a message of the event ${event} is parsed once and read once`, async (t) => {
    const message = JSON.stringify(readExample(event))
    const parse = t.mock.method(JSON, 'parse')
    const read = t.mock.method(network, 'readMessages')
    // The second time the account is known.
    for (const times of [1, 2]) {
      assert.equal((await post(service, callback, message, { event })).status, 200)
      const parsed = parse.mock.calls.filter(({ arguments: [text] }) => text === message)
      assert.deepEqual([parsed.length, read.mock.callCount()], [times, times])
    }
  })
}
