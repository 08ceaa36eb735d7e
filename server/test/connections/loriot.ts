import type { TestContext } from 'node:test'
import { startLoriot } from '../../simulators/loriot/simulator.ts'
import { openConnection } from '../../src/networks/loriot/connection.ts'
import type { AccountValues } from '../../src/networks/network.ts'
import { thisMachine } from '../outside.ts'

/** A simulator and the connection to it, which both end with the test. */
export async function connectToSimulator(context: TestContext, changes: AccountValues = {}) {
  const loriot = await startLoriot()
  context.after(() => loriot.network.close())
  const connection = openConnection({ ...loriot.network.account, ...changes }, thisMachine)
  context.after(() => connection.close())
  return { ...loriot, http: loriot.side.http, connection }
}
