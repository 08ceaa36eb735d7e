import assert from 'node:assert/strict'
import { startSimulator } from '../simulators/index.ts'
import { isEui, normalizeEui } from '../src/lora/eui.ts'
import { readReport } from '../src/networks/actility/messages.ts'
import { signMessage } from '../src/networks/actility/signature.ts'
import { isObject } from '../src/networks/message-fields.ts'
import type { Network } from '../src/networks/network.ts'
import { addLocalDevice, connectAccount } from './fleet.ts'
import type { Json } from './hostile-values.ts'
import { readExamples } from './network-messages.ts'
import { startListening, type TestService } from './service.ts'

/** An organization with an account at one network, and the devices and gateways of its examples. */
export interface MessageBench {
  service: TestService
  network: Network
  deviceIds: string[]
  examples: Map<string, Json>
  post(name: string, message: unknown): Promise<number>
}

export function isTaken(status: number): boolean {
  return status >= 200 && status < 300
}

export async function startBench(
  context: { after(end: () => Promise<void>): unknown },
  network: Network,
): Promise<MessageBench> {
  const service = await startListening(context)
  const folder = new URL(`../src/networks/${network.key}/examples/`, import.meta.url)
  const examples = new Map([...readExamples(folder)].map(([name, body]) => [name, bodyOf(body)]))
  const deviceIds = await registerAll(service, network, examples)
  const post = await (network.key === 'other'
    ? addSender(service)
    : connect(context, service, network))
  return { service, network, deviceIds, examples, post }
}

/** Some examples are a whole call, and the message is a member of it. */
function bodyOf(example: Json): Json {
  return isObject(example.body) ? example.body : example
}

/** Registers every EUI of the examples as a device, so more messages are stored than usual. */
async function registerAll(service: TestService, network: Network, examples: Map<string, Json>) {
  const texts = [...examples.values()].flatMap(textsIn).map(normalizeEui).filter(isEui)
  const euis = [...new Set(texts)]
  for (const deviceId of euis) {
    const changes = {
      network: network.id ?? (network.key === 'other' ? 10 : 3),
      appRegion: 'EU868',
      ...(network.key === 'aws_iot_core_lora' ? { frequencyPlan: 'EU868' } : {}),
    }
    await addLocalDevice(service, deviceId, changes)
  }
  return euis
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

async function connect(
  context: { after(end: () => Promise<void>): unknown },
  service: TestService,
  network: Network,
) {
  const simulator = await startSimulator(network.key)
  context.after(() => simulator.close())
  const { callback } = await connectAccount(service, network.key, simulator.account)
  const { url, header, value } = callback
  const { pathname } = new URL(url)
  return async (name: string, message: unknown) => {
    const event = /^[a-z]+/.exec(name)?.[0]
    const token =
      network.key === 'actility' ? `&Token=${tokenOf(message, simulator.account.as_key ?? '')}` : ''
    return postTo(service, `${pathname}?event=${event}${token}`, { [header]: value }, message)
  }
}

/** ThingPark signs the messages that it sends. */
function tokenOf(message: unknown, asKey: string): string | undefined {
  if (!isObject(message)) return undefined
  const { name, report } = readReport(message)
  return signMessage(name, report, {}, asKey).Token
}

/** Adds a gateway of kind `other`, which posts its own frames. */
async function addSender(service: TestService) {
  const body = {
    gateway_name: 'Roof',
    gateway_ip: '192.168.2.1',
    gateway_eui: '00BB000000000001',
    gateway_bridge: 'other',
  }
  const created = await service.call('POST', '/v1/gateways', { body })
  assert.equal(created.status, 200, created.text)
  const shown = await service.call('GET', `/v1/gateways/${created.body.gateway.id}`)
  const { authorisation_token: token, download_link: link } = shown.body.gateway_configs
  const { pathname } = new URL(link)
  return (_: string, message: unknown) =>
    postTo(service, pathname, { authorization: `Bearer ${token}` }, message)
}

/** How often a message is sent that is refused because the service is busy. */
const mostAttempts = 10

/**
 * Returns the status. A message is stored or ignored (2xx), or refused for its content (400). After 503
 * it is sent again, as a network does: many messages at once may be too many for a slow machine.
 */
async function postTo(
  service: TestService,
  url: string,
  headers: Record<string, string>,
  message: unknown,
): Promise<number> {
  const payload = JSON.stringify(message) ?? 'null'
  const send = () =>
    service.call('POST', url, {
      as: null,
      headers: { ...headers, 'content-type': 'application/json' },
      body: payload,
    })
  let { status, text } = await send()
  for (let attempt = 1; status === 503 && attempt < mostAttempts; attempt += 1) {
    ;({ status, text } = await send())
  }
  assert.ok(isTaken(status) || status === 400, `${status} ${text} to ${payload.slice(0, 2000)}`)
  return status
}
