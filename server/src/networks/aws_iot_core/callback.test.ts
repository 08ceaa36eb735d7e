import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startSimulator as startAwsThings } from '../../../simulators/aws_iot_core/simulator.ts'
import { thisMachine } from '../../../test/outside.ts'
import { openConnection } from './connection.ts'

const callback = { url: 'https://console.example.test/v1/callbacks/x/1', header: 'x-s', value: 'v' }

async function connect(context: TestContext, changes: Record<string, string> = {}) {
  const network = await startAwsThings()
  const { rules } = network
  context.after(() => network.close())
  const connection = openConnection({ ...network.account, ...changes }, thisMachine)
  context.after(() => connection.close())
  return { rules, connection }
}

test('tells what became of its rule and its destination, and fixes them', async (t) => {
  const { connection, rules } = await connect(t)
  const read = async () => (await connection.readCallback(callback)).state
  assert.equal(await read(), 'missing')
  await connection.setCallback(callback)
  const [name = ''] = rules.rules.keys()
  const rule = () => rules.rules.get(name) ?? {}
  const [destination] = rules.destinations.all.values()
  assert.ok(destination)
  await rules.destinations.settle()
  // AWS has asked for a confirmation just now.
  destination.status = 'IN_PROGRESS'
  assert.deepEqual(await connection.readCallback(callback), { state: 'set', words: '' })
  destination.status = 'ENABLED'
  const faults: [string, () => void][] = [
    ['missing', () => rules.rules.set(name, { ...rule(), actions: [] })],
    ['changed', () => rules.rules.set(name, { ...rule(), ruleDisabled: true })],
    ['changed', () => rules.rules.set(name, { ...rule(), sql: "SELECT * FROM 'others'" })],
    ['changed', () => rules.spoil('change')],
    ['changed', () => Object.assign(destination, { status: 'DISABLED' })],
  ]
  for (const [state, spoil] of faults) {
    spoil()
    assert.equal(await read(), state)
    await connection.setCallback(callback)
    assert.equal(await read(), 'set')
  }
  assert.equal(destination.status, 'ENABLED')
  Object.assign(destination, { status: 'IN_PROGRESS', updatedAt: Date.now() - 120_000 })
  const { state, words } = await connection.readCallback(callback)
  assert.equal(state, 'changed')
  assert.match(words, /destination of the callback is IN_PROGRESS at AWS IoT/)
})

test('leaves a rule of its owner that is disabled as it is, and says so', async (t) => {
  const { connection, rules } = await connect(t)
  await connection.setCallback(callback)
  await rules.destinations.settle()
  for (const destination of rules.destinations.all.values()) destination.status = 'ENABLED'
  const [name = ''] = rules.rules.keys()
  const rule = rules.rules.get(name) ?? {}
  rules.rules.set(name, { ...rule, description: 'By hand', ruleDisabled: true })
  await connection.setCallback(callback)
  const { state, words } = await connection.readCallback(callback)
  assert.deepEqual([state, rules.rules.get(name)?.ruleDisabled], ['set', true])
  assert.match(words, /is disabled/)
})

test('an account whose messages are fetched has no callback', async (t) => {
  const { connection } = await connect(t, { mqtt_url: 'wss://broker.example.test/mqtt' })
  await connection.setCallback(callback)
  assert.equal((await connection.readCallback(callback)).state, 'unused')
})
