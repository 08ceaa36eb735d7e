import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSimulator } from '../simulators/index.ts'
import type { SimulatedNetwork } from '../simulators/simulated-network.ts'
import { requestNames } from '../src/features/fleet/gateways/gateway-fields.ts'
import type { Capabilities } from '../src/networks/capabilities.ts'
import type { GatewayFieldName } from '../src/networks/forms.ts'
import { networks, optionalNetworks, switchOnNetworks } from '../src/networks/index.ts'
import type { Network } from '../src/networks/network.ts'
import { bytesOf, periodOf } from './downlinks.ts'
import { connectAccount, registrationOf } from './fleet.ts'
import { startListening, type TestAnswer, type TestService } from './service.ts'

/** For the contract test of the networks: a listening service and one simulated network. */
export interface ContractBench {
  service: TestService
  simulator: SimulatedNetwork
  network: Network
  can: Capabilities
  accountPath: string
}

/** Invented. */
export const gatewayEui = '00BB0000000000B1'

async function startContractBench(
  context: { after(end: () => Promise<void>): unknown },
  network: Network,
): Promise<ContractBench> {
  const simulator = await startSimulator(network.key)
  context.after(() => simulator.close())
  const service = await startListening(context)
  const accountPath = `/v1/network-accounts/${network.key}`
  return { service, simulator, network, can: network.capabilities, accountPath }
}

/** One check of a feature that every network must support. */
export type Check = (bench: ContractBench, eui: string) => Promise<void>

/**
 * Declares the checks of one network. `run` starts each check with a new EUI and without faults.
 */
type DeclareChecks = (network: Network, run: (check: Check) => Promise<void>) => void

/** Runs the checks against the simulator of every network. Each network has its own service. */
export function describeNetworks(declare: DeclareChecks): void {
  switchOnNetworks(optionalNetworks.map(({ key }) => key))
  for (const network of networks) {
    if (network.key === 'other') continue
    describe(network.name, () => {
      let shared: ContractBench | undefined
      const ends: (() => Promise<void>)[] = []
      before(async () => {
        shared = await startContractBench({ after: (end) => ends.push(end) }, network)
      })
      after(async () => {
        // A message in progress keeps its connection open, and the service waits for open
        // connections.
        await shared?.simulator.settle()
        for (const end of ends.reverse()) await end()
      })
      declare(network, async (check) => {
        assert.ok(shared, 'the service and the network are there')
        clearFaults(shared)
        await check(shared, nextEui())
      })
    })
  }
}

/** Removes restrictions that an earlier failed check may have left. */
function clearFaults({ simulator }: ContractBench): void {
  simulator.setAway(false)
  simulator.refuse(undefined)
  simulator.deny?.([])
  simulator.throttle(undefined)
  simulator.setRoom?.(undefined)
  simulator.delayReports(0)
}

/**
 * Connects the account, and sets the callback at the network if the service does not do so. Waits
 * until the account's work from earlier checks is done.
 */
export async function connect(bench: ContractBench, changes: Record<string, string> = {}) {
  const { service, simulator, network, can } = bench
  const values = { ...simulator.account, ...changes }
  const account = await connectAccount(service, network.key, values)
  if (!can.callbacks) simulator.setCallback(account.callback)
  await idle(bench)
  return account
}

export async function register(bench: ContractBench, eui: string): Promise<TestAnswer> {
  const answer = await registerAs(bench, eui, 'Back door')
  assert.equal(answer.status, 200, answer.text)
  await bench.simulator.settle()
  return answer
}

export function registerAs(
  { network, service }: ContractBench,
  eui: string,
  deviceName: string,
  more: object = {},
): Promise<TestAnswer> {
  const body = registrationOf(eui, {
    network: network.id ?? awsIotCoreId,
    deviceName,
    appRegion: 'EU868',
    ...planOf(network),
    ...more,
  })
  return service.call('POST', '/v1/devices', { body })
}

/** The frequency plan of a device, if its network requires one. */
export function planOf(network: Network): { frequencyPlan?: string } {
  if (network.key === 'aws_iot_core_lora') return { frequencyPlan: 'EU868' }
  const [plan] = network.forms.device?.frequencyPlans ?? []
  // With a plan, the device would belong to the LoRa variant.
  return plan && network.loraVariant === undefined ? { frequencyPlan: plan.id } : {}
}

export async function connectDevice(bench: ContractBench, eui: string) {
  await connect(bench)
  await register(bench, eui)
  if (bench.can.registration === 'by_hand') bench.simulator.addDevice(eui, 'Back door')
}

/** Starts above 00AA0000000000FF, which belongs to another owner in several simulators. */
let devices = 0x1000
/** Returns the EUI of a device that no other test uses. */
export function nextEui(): string {
  devices += 1
  return `00AA${devices.toString(16).toUpperCase().padStart(12, '0')}`
}

/** AWS IoT Core for LoRaWAN has no id of its own. Its devices are registered under this id. */
const awsIotCoreId = 3

export async function readDevice({ service }: ContractBench, eui: string) {
  const answer = await service.call('GET', `/v1/devices/${eui}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

export async function listUplinks({ service }: ContractBench, eui: string) {
  const answer = await service.call('GET', `/v1/devices/${eui}/uplink`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

/** Queues a configuration message that sets the supervisory period, in minutes. */
export async function configure({ service }: ContractBench, eui: string, minutes: number) {
  const body = { config_field: periodOf(minutes) }
  return service.call('POST', `/v1/devices/${eui}/configure`, { body })
}

/** Returns the names of the events in a device's downlink history, the oldest first. */
export async function readHistory({ service }: ContractBench, eui: string): Promise<string[]> {
  const answer = await service.call('GET', `/v1/devices/${eui}/configure`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.map((entry: { event_name: string }) => entry.event_name).reverse()
}

export async function idle({ service }: ContractBench): Promise<void> {
  const { provisioner, downlinkSender } = service.services
  await Promise.all([provisioner.idle(), downlinkSender.idle()])
}

/** Waits until a condition is true, and moves the service's clock forward meanwhile. */
export async function eventually(
  bench: ContractBench,
  holds: () => Promise<boolean>,
  what: string,
): Promise<void> {
  const { service } = bench
  const { provisioner, downlinkSender } = service.services
  for (let round = 0; round < 100; round += 1) {
    provisioner.wake()
    downlinkSender.wake()
    // When the clock moves, a call in progress loses its claim, and a second caller would repeat
    // it.
    await idle(bench)
    if (await holds()) return
    service.setClock(new Date(service.services.now().getTime() + 60_000))
    await sleep(20)
  }
  assert.fail(`${what} did not happen`)
}

/**
 * The body of POST /gateways, with the fields that the network's form requires besides the common
 * ones.
 */
export function gatewayBodyOf({ network }: ContractBench): Record<string, string> {
  const body: Record<string, string> = {
    gateway_bridge: network.key,
    gateway_name: 'Roof',
    gateway_eui: gatewayEui,
    gateway_ip: '192.168.2.1',
  }
  for (const [field, { validation, values }] of Object.entries(
    network.forms.gateway?.fields ?? {},
  )) {
    const name = requestNames[field as GatewayFieldName][0]
    if (validation !== 'required' || body[name]) continue
    body[name] = Object.keys(values ?? {})[0] ?? gatewayTexts[field] ?? 'x'
  }
  return body
}

/** Values for fields without a list of choices. */
const gatewayTexts: Record<string, string> = {
  serialNumber: 'SN0001',
  model: 'evolution',
  brand: 'kerlink',
}

export async function checkConnected({ service, accountPath }: ContractBench) {
  const { body } = await service.call('GET', accountPath)
  assert.deepEqual([body.data.status, body.data.message], ['connected', ''])
}

/** Checks that a normal device is registered at once. */
export async function checkRegistration(bench: ContractBench) {
  const eui = nextEui()
  await register(bench, eui)
  const { device_register_status, api_error_json } = await readDevice(bench, eui)
  assert.deepEqual([device_register_status, api_error_json], ['active', ''])
}

export async function checkHandOver(
  bench: ContractBench,
  devEui: string,
  minutes: number,
  isConfigured = false,
) {
  const { simulator, can } = bench
  if (!isConfigured) await configure(bench, devEui, minutes)
  if (can.downlinks === 'pulled') return
  const isThere = async () =>
    simulator.findDevice(devEui)?.queue.includes(bytesOf(minutes)) ?? false
  await eventually(bench, isThere, 'the hand-over')
}
