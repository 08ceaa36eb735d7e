import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import {
  callbackOf,
  connectToStack,
  doorSensor,
  plannedSensor,
} from '../../../test/network-connections.ts'

// The webhook, its health as of pkg/applicationserver/io/web/sink/health.go.

const known = callbackOf('thethingsnetwork')

/** What a webhook calls, which answers with this status. */
async function receive(t: TestContext, answer: { status: number }) {
  const received: string[] = []
  const server = createServer((request, response) => {
    request.resume()
    received.push(String(request.headers[known.header]))
    response.writeHead(answer.status).end('{}')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { received, url: `http://127.0.0.1:${port}/v1/callbacks/thethingsnetwork/1` }
}

test('tells of a webhook that is paused after failures, and has it called again', async (t) => {
  const { connection, simulator: stack } = await connectToStack(t)
  const answer = { status: 500 }
  const { received, url } = await receive(t, answer)
  const callback = { ...known, url }
  await connection.setCallback(callback)
  await connection.addDevice(plannedSensor)
  await stack.settle()
  for (let uplink = 0; uplink < 5; uplink += 1) await stack.sendUplink(doorSensor.devEui, '100301')
  const { failures } = stack.store.pausing
  assert.equal(received.length, failures, 'it is left alone')
  const { state, words } = await connection.readCallback(callback)
  assert.equal(state, 'paused')
  assert.match(words, /3 calls failed in a row, the last at 20\d\d-.* without an answer/)

  answer.status = 200
  await stack.sendUplink(doorSensor.devEui, '110300')
  assert.equal(received.length, failures)
  await connection.setCallback(callback)
  assert.deepEqual(await connection.readCallback(callback), { state: 'set', words: '' })
  await stack.sendUplink(doorSensor.devEui, '120301')
  assert.equal(received.length, failures + 1)
})

test('sets again what was changed by hand, and leaves the rest of the webhook alone', async (t) => {
  const { connection, simulator: stack } = await connectToStack(t)
  await connection.setCallback(known)
  const [webhook = {}] = stack.store.webhooks.values()
  Object.assign(webhook, { downlink_queued: { path: '/queued' } })
  const changes = [
    { paused: true },
    { format: 'protobuf' },
    { headers: { [known.header]: 'another' } },
    { headers: {} },
    { uplink_message: undefined },
    { downlink_sent: { path: '/sent' } },
    { base_url: 'https://others.example.test/' },
  ]
  const states: string[] = []
  for (const change of changes) {
    const [present = {}] = stack.store.webhooks.values()
    Object.assign(present, change)
    states.push((await connection.readCallback(known)).state)
    await connection.setCallback(known)
    assert.deepEqual(await connection.readCallback(known), { state: 'set', words: '' })
  }
  assert.deepEqual(states, [...Array.from({ length: 6 }, () => 'changed'), 'missing'])
  const [fixed] = stack.store.webhooks.values()
  assert.deepEqual(fixed?.downlink_queued, { path: '/queued' })
  assert.notEqual(fixed?.paused, true)
})

test('reads the webhook of a version that knows no pause', async (t) => {
  const { connection, simulator: stack } = await connectToStack(t)
  await connection.setCallback(known)
  const path = 'GET /api/v3/as/webhooks/:application'
  let refusals = 0
  stack.http.faults.answers[path] = () => {
    const query = stack.http.calls.at(-1)?.query ?? {}
    if (!query.field_mask?.includes('paused')) return undefined
    refusals += 1
    return {
      status: 400,
      body: {
        code: 3,
        message:
          'error:pkg/rpcmiddleware/validator:field_mask_paths (forbidden path(s) in field mask)',
      },
    }
  }
  await connection.setCallback({ ...known, value: 'rotated' })
  assert.deepEqual(await connection.readCallback({ ...known, value: 'rotated' }), {
    state: 'set',
    words: '',
  })
  assert.equal(refusals, 2)
})
