import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callbackOf, connectToActility } from '../../../test/network-connections.ts'

const callback = callbackOf('actility')

test('fixes the application server that devices are routed to, in place of another one', async (t) => {
  const { connection, store } = await connectToActility(t)
  const read = async () => (await connection.readCallback(callback)).state
  assert.equal(await read(), 'missing')
  await connection.setCallback(callback)
  const [server] = store.appServers.values()
  assert.ok(server)
  const faults: [string, () => void][] = [
    ['missing', () => Object.assign(server, { addresses: ['https://others.example.test/'] })],
    ['changed', () => Object.assign(server, { isDeactivated: true })],
    ['changed', () => Object.assign(server, { headers: [] })],
    ['changed', () => Object.assign(server, { contentType: 'xml' })],
    ['changed', () => Object.assign(server, { asId: 'elsewhere' })],
  ]
  for (const [state, spoil] of faults) {
    spoil()
    assert.equal(await read(), state)
    await connection.setCallback(callback)
    assert.deepEqual(await connection.readCallback(callback), { state: 'set', words: '' })
  }
  assert.deepEqual([...store.appServers.values()], [server])
  assert.equal(server.isDeactivated, false)
})
