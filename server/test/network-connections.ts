// For tests: connections of the service to simulated networks. All values are invented.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { addAppServer } from '../simulators/actility/app-server-routes.ts'
import type { AwsLoraOptions } from '../simulators/aws_iot_core_lora/simulator.ts'
import type { ChirpStackOptions } from '../simulators/chirpstack/simulator.ts'
import type { SimulatorOptions } from '../simulators/simulated-network.ts'
import { keyOf, type StoredDevice } from '../simulators/thethingsnetwork/store.ts'
import type { DeviceRadio } from '../src/networks/device-radio.ts'
import type { AccountValues, NetworkDevice } from '../src/networks/network.ts'
import { NetworkError } from '../src/networks/network-error.ts'
import type { Outside } from '../src/networks/outside.ts'
import { thisMachine } from './outside.ts'

export const doorSensor: NetworkDevice = {
  devEui: '00AA000000000001',
  joinEui: '00AA0000000000FF',
  appKey: '000102030405060708090A0B0C0D0E0F',
  name: 'Back door',
}

/** `doorSensor` with the members that The Things Stack requires. */
export const plannedSensor: NetworkDevice = { ...doorSensor, frequencyPlan: 'EU_863_870_TTN' }

export const networkKey = 'AABBCCDDEEFF00112233445566778899'

/** Of a device without a join, in class C. */
export const abpRadio: DeviceRadio = {
  version: '1.0',
  activation: 'abp',
  deviceClass: 'C',
  devAddr: '26011AB1',
  networkKey,
}

/** A callback at an address without a server. */
export function callbackOf(network: string) {
  return {
    url: `http://127.0.0.1:1/v1/callbacks/${network}/0b7c1d8e-0000-4000-8000-000000000001`,
    header: 'x-callback-secret',
    value: 'a-secret-of-the-callback',
  }
}

/** For `assert.rejects`. */
export function failsWith(kind: NetworkError['kind'], words: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof NetworkError, String(error))
    assert.equal(error.kind, kind, error.message)
    assert.match(error.message, words)
    return true
  }
}

interface StartedSimulator {
  account: Record<string, string>
  close(): Promise<void>
}

/** Opens a connection to a simulator. Both close with the test. */
function connect<Simulator extends StartedSimulator, Connection extends { close(): void }>(
  context: TestContext,
  simulator: Simulator,
  open: (values: AccountValues, outside: Outside) => Connection,
  changes: AccountValues,
) {
  const connection = open({ ...simulator.account, ...changes }, thisMachine)
  context.after(async () => {
    connection.close()
    await simulator.close()
  })
  return { ...simulator, simulator, connection }
}

// Each module is loaded only when it is needed: a test of one network loads no other network's
// library.

export async function connectToActility(context: TestContext, changes: AccountValues = {}) {
  const { startSimulator } = await import('../simulators/actility/simulator.ts')
  const { openConnection } = await import('../src/networks/actility/connection.ts')
  return connect(context, await startSimulator(), openConnection, changes)
}

export async function connectToAwsLora(
  context: TestContext,
  options: AwsLoraOptions = {},
  changes: AccountValues = {},
) {
  const { startSimulator } = await import('../simulators/aws_iot_core_lora/simulator.ts')
  const { openConnection } = await import('../src/networks/aws_iot_core_lora/connection.ts')
  return connect(context, await startSimulator(options), openConnection, changes)
}

export async function connectToChirpStack(
  context: TestContext,
  options: ChirpStackOptions = {},
  changes: AccountValues = {},
) {
  const { startSimulator } = await import('../simulators/chirpstack/simulator.ts')
  const { openConnection } = await import('../src/networks/chirpstack/connection.ts')
  return connect(context, await startSimulator(options), openConnection, changes)
}

export async function connectToKerlink(context: TestContext, changes: AccountValues = {}) {
  const { startSimulator } = await import('../simulators/kerlink/simulator.ts')
  const { openConnection } = await import('../src/networks/kerlink/connection.ts')
  return connect(context, await startSimulator(), openConnection, changes)
}

export async function connectToLoriot(context: TestContext, changes: AccountValues = {}) {
  const { startSimulator } = await import('../simulators/loriot/simulator.ts')
  const { openConnection } = await import('../src/networks/loriot/connection.ts')
  return connect(context, await startSimulator(), openConnection, changes)
}

export async function connectToStack(
  context: TestContext,
  changes: AccountValues = {},
  options: SimulatorOptions = {},
) {
  const { startSimulator } = await import('../simulators/thethingsnetwork/simulator.ts')
  const { openConnection } = await import('../src/networks/thethingsnetwork/connection.ts')
  return connect(context, await startSimulator(options), openConnection, changes)
}

export type ActilityBench = Awaited<ReturnType<typeof connectToActility>>
export type KerlinkBench = Awaited<ReturnType<typeof connectToKerlink>>
export type StackBench = Awaited<ReturnType<typeof connectToStack>>

export const actilityGateway = {
  gatewayEui: '00BB0000000000B1',
  name: 'Roof',
  settings: { model: 'GENERIC/BASICS.1', ism_band: 'EU868' },
}

export const kerlinkDevice = { ...doorSensor, region: 'EU868' } as const

export const kerlinkGateway = {
  gatewayEui: '00BB0000000000B1',
  name: 'Roof',
  region: 'EU868',
  settings: { visibility: 'PRIVATE' },
} as const

/** Makes an application server of another owner in the same subscription; returns its ID. */
export function addForeignServer({ store }: ActilityBench): string {
  const { body } = addAppServer(store, {
    name: 'Somebody else',
    contentType: 'json',
    destinations: [{ addresses: ['https://elsewhere.example.test/'], ports: '*' }],
    downlinkSecurity: {
      status: 'DOWNLINK_AS_KEY',
      asID: 'elsewhere',
      downlinkAsKey: 'f'.repeat(32),
    },
  })
  return (body as { ID: string }).ID
}

/** The id that The Things Stack gives `doorSensor`. */
export const doorId = 'eui-00aa000000000001'

export function readStackDevice(
  { store }: Pick<StackBench, 'store'>,
  id = doorId,
): StoredDevice | undefined {
  return store.devices.get(keyOf(store.applicationId, id))
}

/**
 * Registers a device as a user does in the console, with any id, and by choice in another
 * application.
 */
export function plantStackDevice(
  { store }: Pick<StackBench, 'store'>,
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
