import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSimulator as startAwsThings } from '../../../simulators/aws_iot_core/simulator.ts'
import { startTestService } from '../../../test/service.ts'

const service = await startTestService({ after })
const network = await startAwsThings()
const { side, rules } = network
after(() => network.close())
const path = '/v1/network-accounts/aws_iot_core'
const { body } = await service.call('PUT', path, { body: network.account })
await rules.destinations.settle()
const callback = new URL(body.data.callback.url).pathname
const [destination] = rules.destinations.all.values()
assert.ok(destination)
const { arn, token } = destination

const question = {
  arn,
  confirmationToken: token,
  enableUrl: `${side.http.address}/confirmdestination/${token}`,
  messageType: 'DestinationConfirmation',
}

/** As AWS asks: with a slash and the token behind the address, and without the secret. */
function ask(changes: Record<string, string>, headers: Record<string, string> = {}) {
  return service.app.inject({
    method: 'POST',
    url: `${callback}/?confirmationToken=${token}`,
    headers: {
      'content-type': 'application/json',
      'x-amz-rules-engine-message-type': 'DestinationConfirmation',
      ...headers,
    },
    payload: JSON.stringify({ ...question, ...changes }),
  })
}

test('confirms a destination of the account without the secret', async () => {
  assert.equal(destination.status, 'ERROR', 'nobody listens at the address of this test')
  destination.status = 'IN_PROGRESS'
  assert.equal((await ask({})).statusCode, 200)
  assert.equal(destination.status, 'ENABLED')
})

test('confirms nothing that is not of the account, and calls no other address', async () => {
  const { length } = side.http.calls
  for (const changes of [
    { arn: arn.replace('123456789012', '999999999999') },
    { enableUrl: 'http://169.254.169.254/confirmdestination/x' },
    { enableUrl: 'https://example.test/confirmdestination/x' },
  ]) {
    assert.equal((await ask(changes)).statusCode, 400, JSON.stringify(changes))
  }
  const called = side.http.calls.slice(length).map(({ route }) => route)
  assert.ok(!called.includes('/confirmdestination/:token'))
})

test('takes no other message without the secret', async () => {
  const header = 'x-amz-rules-engine-message-type'
  const answers = await Promise.all([
    ask({}, { [header]: 'RuleMessage' }),
    ask({ messageType: 'Other' }),
    ask({}, { [header]: '' }),
  ])
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [401, 401, 401],
  )
  const elsewhere = callback.replace('aws_iot_core', 'aws_iot_core_lora')
  const headers = { [header]: 'DestinationConfirmation' }
  const other = await service.app.inject({
    method: 'POST',
    url: elsewhere,
    headers,
    payload: question,
  })
  assert.equal(other.statusCode, 401)
})
