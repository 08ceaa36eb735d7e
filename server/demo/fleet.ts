import { randomBytes } from 'node:crypto'
import type { SimulatedNetwork } from '../simulators/simulated-network.ts'
import type { Callback, Network } from '../src/networks/network.ts'

/** The service to fill, and the networks that its devices live on. */
export interface Demo {
  address: string
  email: string
  password: string
  networks: readonly DemoNetwork[]
  /** Of all networks together. */
  deviceCount: number
}

export interface DemoNetwork {
  network: Network
  simulator: SimulatedNetwork
}

/** Name, and id of the device type; the simulator knows the sensor by a word of the name. */
const kinds = [
  ['Front door', 16],
  ['Cold store air', 112],
  ['Server room temperature', 103],
  ['Cellar water', 19],
  ['Help button', 105],
  ['Gate contact', 18],
  ['Tank lid tilt', 40],
] as const

export type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

/** Makes the network accounts and the devices as a client does: only through the API. */
export async function populateDemo(demo: Demo): Promise<Call> {
  const { address, email, password, networks } = demo
  const { token } = await send(address, 'POST', '/auth/login', { email, password })
  const call: Call = (method, path, body) => send(address, method, path, body, String(token))
  for (const { network, simulator } of networks) {
    const { data } = await call('PUT', `/network-accounts/${network.key}`, simulator.account)
    if (network.capabilities.callbacks) continue
    simulator.setCallback((data as { callback: Callback }).callback)
  }
  for (let index = 0; index < demo.deviceCount; index += 1) {
    const home = networks[index % networks.length]
    if (home) await register(call, home, index)
  }
  for (const { simulator } of networks) await simulator.settle()
  return call
}

async function register(
  call: Call,
  { network, simulator }: DemoNetwork,
  index: number,
): Promise<void> {
  const [kind, deviceType] = kinds[index % kinds.length] ?? kinds[0]
  const name = `${kind} ${Math.floor(index / kinds.length) + 1}`
  const eui = `00AA0000000000${(index + 1).toString(16).padStart(2, '0').toUpperCase()}`
  await call('POST', '/devices', {
    network: network.id ?? awsIotCoreId,
    deviceName: name,
    deviceId: eui,
    deviceKey: randomBytes(16).toString('hex'),
    deviceType,
    registerMethod: 'user_account',
    appRegion: 'EU868',
    frequencyPlan: planOf(network),
    tags: { floor: String((index % 3) + 1) },
    action: 'confirm',
  })
  if (network.capabilities.registration === 'by_hand') simulator.addDevice(eui, name)
}

/** AWS IoT Core takes a device with a plan for one of its LoRaWAN side, which has no form. */
function planOf({ id, forms, loraVariant }: Network): string | null {
  if (loraVariant !== undefined) return null
  return id === undefined ? 'EU868' : (forms.device?.frequencyPlans?.[0]?.id ?? null)
}

/** Devices of AWS IoT Core for LoRaWAN are registered under this id, with a frequency plan. */
const awsIotCoreId = 3

async function send(
  address: string,
  method: string,
  path: string,
  body?: object,
  token?: string,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${address}/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(token ? { authorization: `Bearer ${token}`, organization: '1' } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  if (answer.status === 204) return {}
  const content = (await answer.json()) as Record<string, unknown>
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${content.message}`)
  return content
}
