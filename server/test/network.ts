import assert from 'node:assert/strict'
import { type ChirpStackSimulator, startSimulator } from '../simulators/chirpstack/simulator.ts'
import { connectAccount, euiOf } from './fleet.ts'
import { type Login, startTestService, type TestService } from './service.ts'
import { until } from './until.ts'

/** For tests: the service and a simulated ChirpStack. */

interface Context {
  after(end: () => Promise<void>): void
}

/** Starts a service and a network, without an account. */
export async function startBoth(context: Context) {
  const simulator = await startChirpStack(context)
  const service = await startTestService(context)
  return { service, simulator }
}

export async function startChirpStack(context: Context): Promise<ChirpStackSimulator> {
  const simulator = await startSimulator()
  context.after(() => simulator.close())
  return simulator
}

/** Does the same as `startBoth`, and connects the account of organization 1. */
export async function startConnected(context: Context) {
  const both = await startBoth(context)
  const account = await connect(both.service, both.simulator)
  assert.equal(account.status, 'connected', account.message)
  return both
}

export function connect(
  service: TestService,
  simulator: ChirpStackSimulator,
  changes: Record<string, unknown> = {},
  as: Login = service.owner,
) {
  return connectAccount(service, 'chirpstack', { ...simulator.account, ...changes }, as)
}

/**
 * Returns the device's name and key at the network; undefined if the network has no such device.
 */
export function atNetwork(simulator: ChirpStackSimulator, number: number) {
  const device = simulator.devices.get(euiOf(number).toLowerCase())
  return device && { name: device.record.getName(), key: device.keys?.getNwkKey() }
}

/** Records the calls of some methods of the device service from now on, in their order. */
export function recordCalls(simulator: ChirpStackSimulator): string[] {
  const calls: string[] = []
  for (const name of ['Create', 'CreateKeys', 'Update', 'Delete']) {
    simulator.faults.refusals[`/api.DeviceService/${name}`] = () => {
      calls.push(name)
      return undefined
    }
  }
  return calls
}

/** Moves the clock past all pauses and claims, and makes all due calls. */
export async function passTime(service: TestService, minutes = 10): Promise<void> {
  // When the clock moves, a call in progress loses its claim, and a second caller would repeat it.
  await service.services.provisioner.idle()
  service.setClock(new Date(service.services.now().getTime() + minutes * 60_000))
  service.services.provisioner.wake()
  await untilQuiet(service)
}

/**
 * Waits until no call is due or in progress. Ignores calls without a usable account, and calls that
 * wait for an earlier one.
 */
export async function untilQuiet({ services }: TestService): Promise<void> {
  await services.provisioner.idle()
  await until(async () => {
    const waiting = await services.db.query(
      `select tasks.id from provisioning as tasks
       join network_accounts as accounts using (network, register_method)
       where (tasks.organization_id = accounts.organization_id or register_method = 'vendor')
         and (accounts.paused_until is null or accounts.paused_until <= $1)
         and (tasks.next_attempt_at <= $1 or tasks.claimed_until >= $1)
         and not exists (
           select from provisioning as earlier
           where earlier.eui = tasks.eui and earlier.id < tasks.id
             and earlier.organization_id = tasks.organization_id and earlier.next_attempt_at > $1
         )`,
      [services.now()],
    )
    return waiting.length === 0
  }, 'the outbox is quiet')
}
