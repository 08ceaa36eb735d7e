import assert from 'node:assert/strict'
import {
  type ChirpStackSimulator,
  startSimulator as startChirpStack,
} from '../simulators/chirpstack/simulator.ts'
import { startSimulator as startStack } from '../simulators/thethingsnetwork/simulator.ts'
import { freeStrandedMoves, workMoves } from '../src/features/fleet/moves/work-moves.ts'
import { addDevice, connectAccount, euiOf } from './fleet.ts'
import { passTime } from './network.ts'
import { startListening, type TestService } from './service.ts'

/** For tests: the service between a simulated ChirpStack and a simulated Things Stack. */
export interface MoveBench {
  service: TestService
  chirpstack: ChirpStackSimulator
  stack: Awaited<ReturnType<typeof startStack>>
  eui: string
  id: number
}

export const toStack = {
  network: 5,
  registerMethod: 'user_account',
  frequencyPlan: 'EU_863_870_TTN',
}

interface Context {
  after(end: () => Promise<void>): void
}

/** Device 1 is at ChirpStack, and was heard there. */
export async function startBench(context: Context): Promise<MoveBench> {
  const chirpstack = await startChirpStack()
  context.after(() => chirpstack.close())
  const stack = await startStack()
  context.after(() => stack.close())
  const service = await startListening(context)
  for (const [key, { account }] of [
    ['chirpstack', chirpstack],
    ['thethingsnetwork', stack],
  ] as const) {
    const connected = await connectAccount(service, key, account)
    assert.equal(connected.status, 'connected', connected.message)
  }
  return { service, chirpstack, stack, ...(await addHeardDevice(service, chirpstack, 1)) }
}

/** The same bench with another device, for another test. */
export async function anotherDevice(bench: MoveBench): Promise<MoveBench> {
  const { service, chirpstack } = bench
  const [last] = await service.services.db.query<{ number: number }>(
    'select count(*)::int as number from devices',
  )
  return { ...bench, ...(await addHeardDevice(service, chirpstack, (last?.number ?? 0) + 1)) }
}

async function addHeardDevice(
  service: TestService,
  chirpstack: ChirpStackSimulator,
  number: number,
) {
  const { id, device_register_status } = await addDevice(service, number)
  assert.equal(device_register_status, 'active')
  const eui = euiOf(number)
  await chirpstack.settle()
  await chirpstack.sendUplink(eui, '100301')
  return { eui, id }
}

export async function move(
  { service, eui }: MoveBench,
  changes: Record<string, unknown> = {},
  status = 200,
) {
  const body = { ...toStack, ...changes }
  const answer = await service.call('POST', `/v1/devices/${eui}/move`, { body })
  assert.equal(answer.status, status, answer.text)
  return answer.body.data
}

export async function readMove({ service }: MoveBench, id: number) {
  const answer = await service.call('GET', `/v1/moves/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

/** Takes all steps that are due now. */
export async function work({ service }: MoveBench): Promise<void> {
  // A finished call may make a further step due.
  for (let round = 0; round < 3; round += 1) {
    await workMoves(service.services)
    await freeStrandedMoves(service.services)
    service.services.provisioner.wake()
    await service.services.provisioner.idle()
    await service.services.downlinkSender.idle()
  }
}

/** Lets time pass, and takes all steps that are then due. */
export async function workLater(bench: MoveBench, minutes: number): Promise<void> {
  await passTime(bench.service, minutes)
  await work(bench)
}

/** Which networks have the device, and the one that its record shows. */
export async function placesOf({ service, chirpstack, stack, eui }: MoveBench) {
  const answer = await service.call('GET', `/v1/devices/${eui}`)
  return {
    chirpstack: chirpstack.findDevice(eui) !== undefined,
    stack: stack.findDevice(eui) !== undefined,
    shown: answer.body.data.network_name,
  }
}

export async function countUplinks({ service, eui }: MoveBench): Promise<number> {
  const answer = await service.call('GET', `/v1/devices/${eui}/uplink`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.meta.total
}
