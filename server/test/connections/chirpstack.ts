import type { TestContext } from 'node:test'
import {
  type ChirpStackSimulator,
  type SimulatorOptions,
  startChirpStackSimulator,
} from '../../simulators/chirpstack/chirpstack-simulator.ts'
import { openConnection } from '../../src/networks/chirpstack/connection.ts'
import type { AccountValues } from '../../src/networks/network.ts'
import { thisMachine } from '../outside.ts'

/** A simulator and the connection to it, which both end with the test. */
export async function connectToSimulator(
  context: TestContext,
  options: SimulatorOptions = {},
  changes: AccountValues = {},
) {
  const simulator = await startChirpStackSimulator(options)
  context.after(() => simulator.close())
  const values = { ...toAccount(simulator), ...changes }
  const connection = openConnection(values, thisMachine)
  context.after(() => connection.close())
  return { simulator, connection }
}

export function toAccount(simulator: ChirpStackSimulator): AccountValues {
  return {
    server: simulator.server,
    api_key: simulator.apiKey,
    tenant_id: simulator.tenantId,
    application_id: simulator.applicationId,
    device_profile_id: simulator.deviceProfileId,
  }
}

/** The simulator's key of `doorSensor`. */
export const doorKey = '00aa000000000001'
