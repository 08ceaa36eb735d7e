import assert from 'node:assert/strict'
import {
  type ChirpStackSimulator,
  startChirpStackSimulator,
} from '../simulators/chirpstack/chirpstack-simulator.ts'
import { toAccount } from './connections/chirpstack.ts'
import type { Login, TestService } from './service.ts'

/** For tests: invented gateways, told apart by a number, and a network to register them at. */

export function gatewayEuiOf(number: number): string {
  return `00BB${number.toString(16).toUpperCase().padStart(12, '0')}`
}

/** What is told of a gateway at ChirpStack whose organization has no account there. */
export const noAccount =
  'The organization has no account at ChirpStack v4: connect one with PUT /network-accounts/chirpstack. The gateway stays pending until then.'

/** The body of POST /gateways that registers a gateway at ChirpStack. */
export function gatewayOf(number: number, changes: Record<string, unknown> = {}) {
  return {
    gateway_name: `Gateway ${number}`,
    gateway_ip: '192.168.2.1',
    gateway_eui: gatewayEuiOf(number),
    gateway_bridge: 'chirpstack',
    ...changes,
  }
}

/** An item of POST /batch-gateway-requests that registers a gateway at ChirpStack. */
export function gatewayCreation(number: number, changes: Record<string, unknown> = {}) {
  return {
    action: 'create',
    gatewayName: `Gateway ${number}`,
    gatewayIp: '192.168.2.1',
    gatewayBridge: 'chirpstack',
    gatewayEui: gatewayEuiOf(number),
    appRegion: 'EU868',
    ...changes,
  }
}

/** Registers a gateway and returns its full record. */
export async function addGateway(
  service: TestService,
  number: number,
  changes: Record<string, unknown> = {},
  as: Login = service.owner,
) {
  const body = gatewayOf(number, changes)
  const answer = await service.call('POST', '/v1/gateways', { as, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.gateway
}

/** The lite record of a gateway as it stands now. */
export async function readLite(service: TestService, number: number, as = service.owner) {
  const url = `/v1/gateways?version=lite&search=${gatewayEuiOf(number)}`
  const answer = await service.call('GET', url, { as })
  assert.equal(answer.body.data.length, 1)
  return answer.body.data[0]
}

export async function startSimulator(context: { after(end: () => Promise<void>): void }) {
  const simulator = await startChirpStackSimulator()
  context.after(() => simulator.close())
  return simulator
}

/** Connects an organization to the simulator, and returns the account. */
export async function connectTo(
  service: TestService,
  simulator: ChirpStackSimulator,
  as: Login = service.owner,
  changes: Record<string, unknown> = {},
) {
  const body = { ...toAccount(simulator), ...changes }
  const answer = await service.call('PUT', '/v1/network-accounts/chirpstack', { as, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 60_000
  while (!(await isSo())) {
    assert.ok(Date.now() < giveUpAt, 'not so after a minute')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
