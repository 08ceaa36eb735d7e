import type { TestContext } from 'node:test'
import type { AccountValues } from '../../network.ts'
import { thisMachine } from '../../test-outside.ts'
import { openConnection } from '../connection.ts'
import { startLoriot } from './simulated-loriot.ts'

/** A simulator and the adapter's connection to it, which both end with the test. */
export async function connectToSimulator(context: TestContext, changes: AccountValues = {}) {
  const loriot = await startLoriot()
  context.after(() => loriot.network.close())
  const connection = openConnection({ ...loriot.network.account, ...changes }, thisMachine)
  context.after(() => connection.close())
  return { ...loriot, http: loriot.side.http, connection }
}
