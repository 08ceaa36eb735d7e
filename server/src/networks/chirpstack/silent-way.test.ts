import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDatabaseProxy } from '../../../test/database-proxy.ts'
import { connectToChirpStack, failsWith } from '../../../test/network-connections.ts'
import { thisMachine } from '../../../test/outside.ts'
import { openConnection } from './connection.ts'

// As after a failover: nothing tells the client that its connection is dead.
test('opens another connection after one that fell silent', async (context) => {
  const { simulator } = await connectToChirpStack(context)
  const way = await startDatabaseProxy(context, simulator.server)
  const values = { ...simulator.account, server: new URL(way.url).origin }
  const connection = openConnection(values, thisMachine, { deadlineMs: 1_000 })
  context.after(() => connection.close())
  await connection.check()
  way.silence()
  await assert.rejects(connection.check(), failsWith('unreachable', /did not answer in time/))
  way.heal()
  await connection.check()
})
