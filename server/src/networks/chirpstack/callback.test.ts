import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectToChirpStack } from '../../../test/network-connections.ts'
import type { Callback } from '../network.ts'

// One HTTP integration of an application, and one map of headers for all of its addresses.

const base = 'https://fleet.example.test/v1/callbacks/chirpstack'
const own: Callback = {
  url: `${base}/0b7c1d8e-0000-4000-8000-000000000001`,
  header: 'x-callback-secret-0b7c1d8e',
  value: 'own secret',
}
const second: Callback = {
  url: `${base}/7f00aa11-0000-4000-8000-000000000002`,
  header: 'x-callback-secret-7f00aa11',
  value: 'secret of the second',
}
const foreignUrl = 'https://others.example.test/events'

async function start(context: Parameters<typeof connectToChirpStack>[0]) {
  const { simulator, connection } = await connectToChirpStack(context)
  const id = simulator.applicationId
  const { integrations } = simulator.store
  return { simulator, connection, read: () => integrations.get(id), integrations, id }
}

test('two accounts stand in one integration, each with a header of its own', async (t) => {
  const { connection, read } = await start(t)
  await connection.setCallback(own)
  await connection.setCallback(second)
  assert.deepEqual(read(), {
    url: `${own.url},${second.url}`,
    headers: { [own.header]: own.value, [second.header]: second.value },
    isJson: true,
  })
  for (const callback of [own, second]) {
    assert.deepEqual(await connection.readCallback(callback), { state: 'set', words: '' })
  }
  await connection.removeCallback(own)
  assert.deepEqual(read()?.headers, { [second.header]: second.value })
  await connection.removeCallback(second)
  assert.equal(read(), undefined)
})

test('joins an integration that another account makes at the same moment', async (t) => {
  const { connection, integrations, id, read, simulator } = await start(t)
  simulator.faults.refusals['/api.ApplicationService/CreateHttpIntegration'] = () => {
    integrations.set(id, {
      url: second.url,
      headers: { [second.header]: second.value },
      isJson: true,
    })
    return undefined
  }
  await connection.setCallback(own)
  assert.equal(read()?.url, `${second.url},${own.url}`)
  assert.equal((await connection.readCallback(second)).state, 'set')
})

test('takes its secret out of the header that all accounts once had, and no other', async (t) => {
  const { connection, integrations, id, read } = await start(t)
  const headers = { 'X-Callback-Secret': own.value, 'X-Callback-Secret-0B7C1D8E': 'older' }
  integrations.set(id, { url: own.url, headers, isJson: true })
  await connection.setCallback(second)
  assert.equal(read()?.headers['X-Callback-Secret'], own.value)
  await connection.setCallback(own)
  assert.deepEqual(read()?.headers, {
    [own.header]: own.value,
    [second.header]: second.value,
  })
})

test('tells what became of it, and sets it right', async (t) => {
  const { connection, integrations, id } = await start(t)
  const state = async () => (await connection.readCallback(own)).state
  assert.equal(await state(), 'missing')
  await connection.setCallback(own)
  const whole = { url: own.url, headers: { [own.header]: own.value }, isJson: true }
  const spoiled = [
    { ...whole, url: second.url },
    { ...whole, headers: {} },
    { ...whole, headers: { [own.header]: 'another' } },
    { ...whole, isJson: false },
  ]
  const states: string[] = []
  for (const integration of spoiled) {
    integrations.set(id, integration)
    states.push(await state())
    await connection.setCallback(own)
    assert.equal(await state(), 'set')
  }
  assert.deepEqual(states, ['missing', 'changed', 'changed', 'changed'])
})

test('says to whom else the integration sends, and leaves their encoding alone', async (t) => {
  const { connection, integrations, id, read } = await start(t)
  integrations.set(id, { url: foreignUrl, headers: { 'X-Theirs': 'theirs' }, isJson: true })
  await connection.setCallback(own)
  const shared = await connection.readCallback(own)
  assert.equal(shared.state, 'set')
  assert.match(shared.words, /other addresses \(others\.example\.test\)/)
  assert.match(shared.words, /secret of this callback/)
  assert.doesNotMatch(shared.words, /Protobuf/)

  integrations.set(id, { url: foreignUrl, headers: { 'X-Theirs': 'theirs' }, isJson: false })
  await connection.setCallback(own)
  assert.equal(read()?.isJson, false)
  const { state, words } = await connection.readCallback(own)
  assert.equal(state, 'set')
  assert.match(words, /Protobuf, which the callback does not read: every event is refused/)
  assert.match(words, /set its encoding to JSON/)
  await connection.removeCallback(own)
  assert.deepEqual(read(), { url: foreignUrl, headers: { 'X-Theirs': 'theirs' }, isJson: false })
})
