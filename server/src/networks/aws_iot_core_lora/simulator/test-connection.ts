import type { TestContext } from 'node:test'
import type { AccountValues } from '../../network.ts'
import { thisMachine } from '../../test-outside.ts'
import { openConnection } from '../connection.ts'
import { type AwsLoraOptions, startAwsLora } from './aws-lora.ts'

/** A simulated account and the adapter's connection to it, which both end with the test. */
export async function connectToSimulator(
  context: TestContext,
  options: AwsLoraOptions = {},
  changes: AccountValues = {},
) {
  const { network, side, rules } = await startAwsLora(options)
  context.after(() => network.close())
  const values = { ...network.account, ...changes }
  const connection = openConnection(values, thisMachine)
  context.after(() => connection.close())
  return { network, side, rules, connection }
}
