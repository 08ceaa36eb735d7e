import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { DescribeEndpointCommand, IoTClient } from '@aws-sdk/client-iot'
import { thisMachine } from '../../../test/outside.ts'
import { NetworkError } from '../network-error.ts'
import { createOutside } from '../outside.ts'
import { openAwsClient } from './client.ts'

const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const keys = { region: 'us-east-1', accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey }

/** What a call throws, against a server that answers so, and how often it was called. */
async function fail(context: TestContext, answer: (response: ServerResponse) => void) {
  let calls = 0
  const server = createServer((_request, response) => {
    calls += 1
    answer(response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const account = { ...keys, server: new URL(`http://127.0.0.1:${address.port}`) }
  const client = openAwsClient(IoTClient, {
    account,
    address: account.server,
    outside: thisMachine,
  })
  context.after(() => client.destroy())
  const error = await client.send(new DescribeEndpointCommand({})).catch((thrown) => thrown)
  assert.ok(error instanceof NetworkError, String(error))
  return { error, calls }
}

function refuse(status: number, code: string, message: string) {
  return (response: ServerResponse) => {
    response.writeHead(status, { 'x-amzn-errortype': code, 'content-type': 'application/json' })
    response.end(JSON.stringify({ message }))
  }
}

test('tells what AWS refuses in its words, and never the secret', async (t) => {
  const words = `Invalid thing ${secretAccessKey}.`
  const { error } = await fail(t, refuse(400, 'InvalidRequestException', words))
  assert.deepEqual(
    [error.kind, error.message],
    ['refused', 'AWS refused: Invalid thing [secret] (InvalidRequestException).'],
  )
})

test('takes throttling for a wish to go slower, by which nothing was done, and does not repeat the call', async (t) => {
  for (const status of [400, 429]) {
    const { error, calls } = await fail(t, refuse(status, 'ThrottlingException', 'Slow down'))
    assert.deepEqual([error.kind, error.isUndone, calls], ['slow_down', true, 1])
  }
  const broken = await fail(t, refuse(500, 'InternalFailureException', 'Oh'))
  assert.deepEqual(
    [broken.error.kind, broken.error.isUndone, broken.calls],
    ['unreachable', false, 1],
  )
})

test('takes an answer that is none of AWS for an outage', async (t) => {
  const { error } = await fail(t, (response) => response.end('<html>Welcome</html>'))
  assert.equal(error.kind, 'unreachable')
  assert.match(error.message, /does not speak its API/)
})

test('reads no answer without end', async (t) => {
  const chunk = Buffer.alloc(1024 * 1024, ' ')
  const { error } = await fail(t, (response) => {
    const write = () => {
      while (!response.destroyed && response.write(chunk)) {}
      response.once('drain', write)
    }
    write()
  })
  assert.equal(error.kind, 'unreachable')
  assert.match(error.message, /longer than 4 MiB/)
})

test('calls nothing that the outside does not allow, by number or by name', async (t) => {
  const outside = createOutside({ allowsLocal: false, listed: [] })
  for (const address of ['https://169.254.169.254', 'https://localhost:1', 'http://10.0.0.1']) {
    const client = openAwsClient(IoTClient, { account: keys, address: new URL(address), outside })
    t.after(() => client.destroy())
    await assert.rejects(
      client.send(new DescribeEndpointCommand({})),
      (error) => error instanceof NetworkError && /may not be called/.test(error.message),
      address,
    )
  }
})
