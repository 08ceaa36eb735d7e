import type { TestContext } from 'node:test'
import type { SimulatorOptions } from '../../simulators/simulated-network.ts'
import { type SimulatedStack, startSimulator } from '../../simulators/thethingsnetwork/simulator.ts'
import { keyOf, type StoredDevice } from '../../simulators/thethingsnetwork/store.ts'
import type { NetworkDevice } from '../../src/networks/network.ts'
import { openConnection } from '../../src/networks/thethingsnetwork/connection.ts'
import { doorSensor } from '../network-bench.ts'
import { thisMachine } from '../outside.ts'

/** A simulator and the connection to it, which both end with the test. */
export async function connectToSimulator(
  context: TestContext,
  changes: Record<string, string> = {},
  options: SimulatorOptions = {},
) {
  const simulator = await startSimulator(options)
  context.after(() => simulator.close())
  const connection = openConnection({ ...simulator.account, ...changes }, thisMachine)
  context.after(() => connection.close())
  return { simulator, connection, store: simulator.store }
}

export const plannedSensor: NetworkDevice = { ...doorSensor, frequencyPlan: 'EU_863_870_TTN' }
export const doorId = 'eui-00aa000000000001'

export function readDevice({ store }: SimulatedStack, id = doorId): StoredDevice | undefined {
  return store.devices.get(keyOf(store.applicationId, id))
}

/** As somebody registered it in the console, with any id, also in another application. */
export function plantDevice(
  { store }: SimulatedStack,
  deviceId: string,
  identity: Record<string, unknown> = {},
  applicationId = store.applicationId,
): StoredDevice {
  const ids = {
    device_id: deviceId,
    application_ids: { application_id: applicationId },
    dev_eui: doorSensor.devEui,
    join_eui: doorSensor.joinEui,
  }
  const device = { applicationId, deviceId, identity: { ids, name: 'By hand', ...identity } }
  store.devices.set(keyOf(applicationId, deviceId), device)
  return device
}
