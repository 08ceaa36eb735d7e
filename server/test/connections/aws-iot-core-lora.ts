import type { TestContext } from 'node:test'
import { type AwsLoraOptions, startAwsLora } from '../../simulators/aws_iot_core_lora/simulator.ts'
import { openConnection } from '../../src/networks/aws_iot_core_lora/connection.ts'
import type { AccountValues } from '../../src/networks/network.ts'
import { thisMachine } from '../outside.ts'

/** A simulated account and the connection to it, which both end with the test. */
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
