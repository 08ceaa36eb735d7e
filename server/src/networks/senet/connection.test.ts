import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startSimulator } from '../../../simulators/senet/simulator.ts'
import { failsWith } from '../../../test/network-connections.ts'
import { thisMachine } from '../../../test/outside.ts'
import { openConnection } from './connection.ts'

const devEui = '00AA000000000001'
const downlink = { devEui, fPort: 2, payload: Buffer.from('0100ff', 'hex'), confirmed: false }

async function connectToSimulator(t: TestContext, changes: Record<string, string> = {}) {
  const simulator = await startSimulator()
  t.after(() => simulator.close())
  const connection = openConnection({ ...simulator.account, ...changes }, thisMachine)
  t.after(() => connection.close())
  return { simulator, connection }
}

test('sends a downlink that waits for a week, and returns the message id', async (t) => {
  const { simulator, connection } = await connectToSimulator(t)
  simulator.addDevice(devEui, 'Back door')
  assert.equal(await connection.queueDownlink(downlink), '101')
  assert.deepEqual(simulator.findDevice(devEui)?.queue, ['0100ff'])
  const [call] = simulator.http.calls
  assert.deepEqual(call?.query, {
    eui: devEui,
    pdu: '0100FF',
    port: '2',
    confirmed: 'false',
    timeoutMinutes: '10080',
  })
  assert.equal(call?.text, '')
})

test('passes on that the owner has not registered a device yet', async (t) => {
  const { connection } = await connectToSimulator(t)
  await assert.rejects(
    connection.queueDownlink(downlink),
    failsWith('refused', /^Senet refused: Device EUI was not found\.$/),
  )
})

test('refuses an answer without a message id in its words', async (t) => {
  const { simulator, connection } = await connectToSimulator(t)
  const answer = { status: 200, body: { message: 'Device is suspended.' } }
  simulator.http.faults.answers['POST /rest/integration/device/sendmsg'] = answer
  await assert.rejects(
    connection.queueDownlink(downlink),
    failsWith('refused', /^Senet refused: Device is suspended\.$/),
  )
})

test('proves the key without sending anything', async (t) => {
  const { simulator, connection } = await connectToSimulator(t)
  await connection.check()
  assert.deepEqual(simulator.http.calls.at(-1)?.query, { eui: '0000000000000000' })
  const wrong = await connectToSimulator(t, { api_key: 'AK3:usage' })
  await assert.rejects(
    wrong.connection.check(),
    failsWith(
      'unauthorized',
      /^Senet does not allow this to the account: Authorization failure\.$/,
    ),
  )
})

test('does not take another server for Senet', async (t) => {
  const { simulator, connection } = await connectToSimulator(t)
  const answer = { status: 404, body: 'not here' }
  simulator.http.faults.answers['POST /rest/integration/device/sendmsg'] = answer
  await assert.rejects(connection.check(), failsWith('refused', /not here/))
})

test('has nothing to tell Senet about a registration', async (t) => {
  const { connection } = await connectToSimulator(t)
  assert.deepEqual(Object.keys(connection).sort(), ['check', 'close', 'queueDownlink'])
})
