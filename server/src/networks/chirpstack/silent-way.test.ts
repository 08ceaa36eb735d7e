import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startDatabaseProxy } from '../../../test/database-proxy.ts'
import { connectToChirpStack, failsWith } from '../../../test/network-connections.ts'
import { thisMachine } from '../../../test/outside.ts'
import { until } from '../../../test/until.ts'
import { openConnection } from './connection.ts'

// As after a failover: nothing tells the client that its connection is dead.
test('opens another connection after one that fell silent', async (context) => {
  const { way, connection } = await connectByWay(context, 1_000)
  way.silence()
  await assert.rejects(connection.check(), failsWith('unreachable', /did not answer in time/))
  way.heal()
  await connection.check()
})

test('opens another connection after one that the silence did not let open', async (context) => {
  const { way, connection } = await connectByWay(context, 300)
  way.silence()
  // The first one gives the open connection up, and the second one opens another.
  for (let count = 0; count < 2; count += 1) {
    await assert.rejects(connection.check(), failsWith('unreachable', /did not answer in time/))
  }
  way.heal()
  const isBack = () =>
    connection.check().then(
      () => true,
      () => false,
    )
  await until(isBack, 'a new connection is open')
})

test('closes connections on which the server never says anything', async (context) => {
  const { simulator } = await connectToChirpStack(context)
  const open = new Set<Socket>()
  let opened = 0
  const silent = createServer((socket) => {
    opened += 1
    open.add(socket.resume().on('error', () => undefined))
    socket.on('close', () => open.delete(socket))
  }).listen(0, '127.0.0.1')
  context.after(() => silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const values = { ...simulator.account, server: `http://127.0.0.1:${port}` }
  const connection = openConnection(values, thisMachine, { deadlineMs: 50 })
  while (opened < 2) await assert.rejects(connection.check(), failsWith('unreachable', /in time/))
  connection.close()
  await until(() => open.size === 0, 'all are closed')
})

async function connectByWay(context: TestContext, deadlineMs: number) {
  const { simulator } = await connectToChirpStack(context)
  const way = await startDatabaseProxy(context, simulator.server)
  const values = { ...simulator.account, server: new URL(way.url).origin }
  const connection = openConnection(values, thisMachine, { deadlineMs })
  context.after(() => connection.close())
  await connection.check()
  return { way, connection }
}
