import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { account } from '../../../simulators/aws_iot_core_lora/store.ts'
import { connectToAwsLora, doorSensor } from '../../../test/network-connections.ts'
import { NetworkError } from '../network-error.ts'
import { readMessages } from './messages.ts'

interface Received {
  url: string
  headers: Record<string, string | undefined>
  body: unknown
}

/** A callback that keeps what it gets. */
async function startCallback(context: TestContext) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request)
    const headers = request.headers as Record<string, string | undefined>
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
    received.push({ url: request.url ?? '', headers, body })
    response.end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const url = `http://127.0.0.1:${address.port}/v1/callbacks/aws_iot_core_lora/1`
  return { received, callback: { url, header: 'x-callback-secret', value: 's3cret' } }
}

const request = { path: '', query: {}, sentQuery: '', receivedAt: '' }

/** The details of the confirmation that the callback was asked for. */
function questionIn(received: Received[]) {
  const [{ headers, body } = { headers: {}, body: undefined }] = received.splice(0, 1)
  const [message] = readMessages({ ...request, headers, body })
  assert.ok(message?.kind === 'confirmation')
  return message.details
}

const actionOf = (url: string, value: string) => ({
  http: { url, confirmationUrl: url, headers: [{ key: 'x-callback-secret', value }] },
})

test('makes the rule that the destination names, is asked, confirms, and gets uplinks', async (t) => {
  const { connection, simulator, rules } = await connectToAwsLora(t)
  const { received, callback } = await startCallback(t)
  await connection.addDevice(doorSensor)
  await connection.setCallback(callback)
  await simulator.settle()
  assert.match(received[0]?.url ?? '', /\/1\/\?confirmationToken=/)
  assert.equal(received[0]?.headers['x-callback-secret'], undefined)
  await simulator.sendUplink(doorSensor.devEui)
  assert.deepEqual([simulator.counts.lost, received.length], [1, 1])
  await connection.confirmCallback(questionIn(received))
  await simulator.sendUplink(doorSensor.devEui)
  assert.equal(received[0]?.headers['x-callback-secret'], 's3cret')
  const rule = rules.rules.get(account.ruleName)
  assert.deepEqual([rule?.sql, rule?.actions], ['SELECT *', [actionOf(callback.url, 's3cret')]])
})

test('tells by the next uplink of the device that a confirmed downlink arrived', async (t) => {
  const { connection, simulator } = await connectToAwsLora(t)
  const { received, callback } = await startCallback(t)
  await connection.addDevice(doorSensor)
  await connection.setCallback(callback)
  await simulator.settle()
  await connection.confirmCallback(questionIn(received))
  const payload = Buffer.from('0100028700000000', 'hex')
  const { devEui } = doorSensor
  const id = await connection.queueDownlink({ devEui, fPort: 10, payload, confirmed: true })
  await simulator.sendUplink(devEui, '100301')
  const messages = received.flatMap(({ headers, body }) =>
    readMessages({ ...request, headers, body }),
  )
  assert.deepEqual(
    messages.map(({ kind }) => kind),
    ['uplink', 'uplink', 'downlink'],
  )
  const [, , acknowledged] = messages
  assert.ok(acknowledged?.kind === 'downlink' && acknowledged.queueItemId === id)
})

test('adds to a rule of others, once, and takes away only its own part', async (t) => {
  const { connection, rules, side } = await connectToAwsLora(t)
  const { callback } = await startCallback(t)
  const theirs = { sns: { targetArn: 'arn:aws:sns:us-east-1:123456789012:x', roleArn: 'r' } }
  const rule = { sql: 'SELECT * WHERE true', description: 'Ours', actions: [theirs] }
  rules.rules.set(account.ruleName, rule)
  await connection.setCallback(callback)
  await connection.setCallback({ ...callback, value: 'rotated' })
  const actions = [theirs, actionOf(callback.url, 'rotated')]
  assert.deepEqual(rules.rules.get(account.ruleName), { ...rule, actions })
  assert.equal(rules.destinations.all.size, 1)
  side.http.calls.length = 0
  await connection.setCallback({ ...callback, value: 'rotated' })
  assert.equal(
    side.http.calls.filter(({ method, path }) => method !== 'GET' && path.startsWith('/rules'))
      .length,
    0,
  )
  await connection.removeCallback(callback)
  await connection.removeCallback(callback)
  assert.deepEqual(rules.rules.get(account.ruleName), rule)
  assert.equal(rules.destinations.all.size, 0)
})

test('listens to the topic of a destination that publishes, and removes its rule', async (t) => {
  const { connection, simulator, rules } = await connectToAwsLora(t, { isPublished: true })
  const { received, callback } = await startCallback(t)
  await connection.setCallback(callback)
  await simulator.settle()
  await connection.confirmCallback(questionIn(received))
  const [[name, { sql }] = ['', { sql: '' }]] = [...rules.rules]
  assert.match(name, /^fleet_console_[0-9a-f]{16}$/)
  assert.equal(sql, `SELECT * FROM '${account.topic}'`)
  await connection.addDevice(doorSensor)
  await simulator.sendUplink(doorSensor.devEui)
  assert.equal(received.length, 1)
  await connection.removeCallback(callback)
  assert.deepEqual([rules.rules.size, rules.destinations.all.size], [0, 0])
})

test('has a callback asked again that did not confirm, and switches on one that did', async (t) => {
  const { connection, simulator, rules } = await connectToAwsLora(t)
  const { received, callback } = await startCallback(t)
  await connection.setCallback(callback)
  await simulator.settle()
  const [destination] = rules.destinations.all.values()
  assert.ok(destination)
  destination.status = 'ERROR'
  await connection.setCallback(callback)
  await simulator.settle()
  assert.deepEqual([destination.status, received.length], ['IN_PROGRESS', 2])
  destination.status = 'DISABLED'
  await connection.setCallback(callback)
  assert.equal(destination.status, 'ENABLED')
})

test('confirms nothing but a destination of this account, only at AWS', async (t) => {
  const { connection, simulator, rules, side } = await connectToAwsLora(t)
  const { received, callback } = await startCallback(t)
  await connection.setCallback(callback)
  await simulator.settle()
  const details = questionIn(received)
  const { arn = '', enableUrl = '' } = details
  const { pathname } = new URL(enableUrl)
  const confirmations = () => side.http.calls.filter(({ path }) => path.startsWith('/confirm'))
  for (const wrong of [
    { enableUrl: `http://127.0.0.1:1${pathname}` },
    { enableUrl: `https://iot.us-east-1.amazonaws.com.example.test${pathname}` },
    { enableUrl: `${side.http.address}/things?${pathname}` },
    { enableUrl: 'file:///etc/passwd' },
    { enableUrl: '' },
    { arn: arn.replace('123456789012', '999999999999') },
    { arn: arn.replace('us-east-1', 'eu-west-1') },
    { arn: '../../things/x' },
    { arn: '' },
  ]) {
    await assert.rejects(
      connection.confirmCallback({ ...details, ...wrong }),
      (error) => error instanceof NetworkError && error.kind === 'refused',
      JSON.stringify(wrong),
    )
  }
  assert.deepEqual(confirmations(), [])
  await connection.confirmCallback(details)
  await connection.confirmCallback(details)
  assert.equal(confirmations().length, 1)
  assert.equal(rules.destinations.all.get(arn)?.status, 'ENABLED')
})
