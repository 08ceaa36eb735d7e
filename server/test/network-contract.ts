import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSimulator } from '../simulators/index.ts'
import type { SimulatedNetwork } from '../simulators/simulated-network.ts'
import { requestNames } from '../src/features/gateways/gateway-fields.ts'
import type { Capabilities } from '../src/networks/capabilities.ts'
import type { GatewayFieldName } from '../src/networks/forms.ts'
import { networks, optionalNetworks, switchOnNetworks } from '../src/networks/index.ts'
import type { Network } from '../src/networks/network.ts'
import { bytesOf, periodOf } from './downlinks.ts'
import { connectAccount, registrationOf } from './fleet.ts'
import { startListening, type TestAnswer, type TestService } from './service.ts'

/** For the contract test of the networks: a service, listening, beside one simulated network. */
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

/** One check of what every network must be able to do. */
export type Check = (bench: ContractBench, eui: string) => Promise<void>

/** Declares the checks of one network; `run` starts each with a new EUI and without faults. */
type DeclareChecks = (network: Network, run: (check: Check) => Promise<void>) => void

/** Runs the checks against the simulator of every network, one service for each. */
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
        // A message under way would keep its connection, and the service waits for those.
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

/** Removes what an earlier check that failed may have left. */
function clearFaults({ simulator }: ContractBench): void {
  simulator.setAway(false)
  simulator.refuse(undefined)
  simulator.deny?.([])
  simulator.throttle(undefined)
  simulator.setRoom?.(undefined)
  simulator.delayReports(0)
}

/**
 * Connects the account, and enters the callback at the network where the service does not do so.
 * Waits until work that earlier checks left for the account is done.
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
): Promise<TestAnswer> {
  const body = registrationOf(eui, {
    network: network.id ?? awsIotCoreId,
    deviceName,
    appRegion: 'EU868',
    ...planOf(network),
  })
  return service.call('POST', '/v1/devices', { body })
}

/** The frequency plan of a device, where its network asks for one. */
export function planOf(network: Network): { frequencyPlan?: string } {
  if (network.key === 'aws_iot_core_lora') return { frequencyPlan: 'EU868' }
  const [plan] = network.forms.device?.frequencyPlans ?? []
  // With a plan it would be a device of the LoRa variant.
  return plan && network.loraVariant === undefined ? { frequencyPlan: plan.id } : {}
}

export async function connectDevice(bench: ContractBench, eui: string) {
  await connect(bench)
  await register(bench, eui)
  if (bench.can.registration === 'by_hand') bench.simulator.addDevice(eui, 'Back door')
}

/** Past 00AA0000000000FF, which belongs to somebody else at several simulators. */
let devices = 0x1000
/** Of a device that no other test knows. */
export function nextEui(): string {
  devices += 1
  return `00AA${devices.toString(16).toUpperCase().padStart(12, '0')}`
}

/** AWS IoT Core for LoRaWAN has no id of its own: its devices are registered under this one. */
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

/** A configuration message that sets the supervisory period, in minutes. */
export async function configure({ service }: ContractBench, eui: string, minutes: number) {
  const body = { config_field: periodOf(minutes) }
  return service.call('POST', `/v1/devices/${eui}/configure`, { body })
}

/** Names of the events in a device's downlink history, the oldest first. */
export async function readHistory({ service }: ContractBench, eui: string): Promise<string[]> {
  const answer = await service.call('GET', `/v1/devices/${eui}/configure`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.map((entry: { event_name: string }) => entry.event_name).reverse()
}

export async function idle({ service }: ContractBench): Promise<void> {
  const { provisioner, downlinkSender } = service.services
  await Promise.all([provisioner.idle(), downlinkSender.idle()])
}

/** Waits, with the clock of the service moved on, until something holds. */
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
    // A call under way would lose its claim when the clock moves, and be made by two at once.
    await idle(bench)
    if (await holds()) return
    service.setClock(new Date(service.services.now().getTime() + 60_000))
    await sleep(20)
  }
  assert.fail(`${what} did not happen`)
}

/** The body of POST /gateways, with what the network's form requires beyond the common fields. */
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

/** For fields without a list of values. */
const gatewayTexts: Record<string, string> = {
  serialNumber: 'SN0001',
  model: 'evolution',
  brand: 'kerlink',
}

export async function checkConnected({ service, accountPath }: ContractBench) {
  const { body } = await service.call('GET', accountPath)
  assert.deepEqual([body.data.status, body.data.message], ['connected', ''])
}

/** A device like any other is registered at once. */
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
