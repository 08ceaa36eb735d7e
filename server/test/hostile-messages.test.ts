import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startSimulator } from '../simulators/index.ts'
import { isEui, normalizeEui } from '../src/lora/eui.ts'
import { readReport } from '../src/networks/actility/messages.ts'
import { signMessage } from '../src/networks/actility/signature.ts'
import { networks, optionalNetworks, switchOnNetworks } from '../src/networks/index.ts'
import { isObject } from '../src/networks/message-fields.ts'
import type { Network } from '../src/networks/network.ts'
import { addLocalDevice, connectAccount } from './fleet.ts'
import { changeAt, hostileValues, type Json, placesIn, renumber } from './hostile-values.ts'
import { readExamples } from './network-messages.ts'
import { fc } from './properties.ts'
import { startListening, type TestService } from './service.ts'

switchOnNetworks(optionalNetworks.map(({ key }) => key))

/**
 * No message can break later reads. Every member of each network's examples gets every hostile
 * value. After that, all endpoints that show messages must still answer.
 */

/** An organization with an account at one network, and the devices and gateways of its examples. */
interface Bench {
  service: TestService
  network: Network
  deviceIds: string[]
  examples: Map<string, Json>
  post(name: string, message: unknown): Promise<number>
}

for (const network of networks) {
  describe(network.name, () => {
    let bench: Bench | undefined
    const ends: (() => Promise<void>)[] = []
    before(async () => {
      bench = await startBench({ after: (end) => ends.push(end) }, network)
    })
    after(async () => {
      for (const end of ends.reverse()) await end()
    })

    test('stores its own examples', async () => {
      assert.ok(bench)
      let stored = 0
      for (const [name, example] of bench.examples) {
        if (isTaken(await bench.post(name, example))) stored += 1
      }
      assert.ok(stored > 0)
      await checkAllThatIsRead(bench)
      const list = await bench.service.call('GET', '/v1/devices/all/uplink')
      assert.ok(list.body.meta.total > 0, 'an uplink of its examples is stored')
    })

    test('answers every read after hostile messages', async () => {
      assert.ok(bench)
      const tried = new Set<string>()
      const messages = [...bench.examples].flatMap(([name, example]) =>
        hostileOf(name, example, tried),
      )
      const answers = await postAll(bench, messages)
      assert.ok(answers.some(isTaken))
      await checkAllThatIsRead(bench)
    })

    test('answers every read after messages of several hostile members', async () => {
      assert.ok(bench)
      const { examples } = bench
      const names = [...examples.keys()]
      const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...hostileValues)), {
        minLength: 2,
        maxLength: 5,
      })
      const drawn = fc.sample(fc.tuple(fc.constantFrom(...names), changes), { numRuns: 300 })
      const messages = drawn.map(([name, list]) => ({
        name,
        message: list.reduce<unknown>(
          (whole, [at, value]) => {
            const places = placesIn(whole)
            const place = places[at % Math.max(places.length, 1)]
            return place ? changeAt(whole, place, value) : whole
          },
          renumber(examples.get(name), nextNumber()),
        ),
      }))
      await postAll(bench, messages)
      await checkAllThatIsRead(bench)
    })
  })
}

const batchSize = 100

let numbers = 0
function nextNumber(): number {
  numbers += 1
  return numbers
}

function isTaken(status: number): boolean {
  return status >= 200 && status < 300
}

interface Sent {
  name: string
  message: unknown
}

/** Returns the statuses. */
async function postAll({ post }: Bench, messages: readonly Sent[]): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < messages.length; at += batchSize) {
    const batch = messages.slice(at, at + batchSize)
    statuses.push(...(await Promise.all(batch.map(({ name, message }) => post(name, message)))))
  }
  return statuses
}

/** Puts every value in the place of each member that no earlier example has. */
function hostileOf(name: string, example: Json, tried: Set<string>): Sent[] {
  const places = placesIn(example).filter((place) => !tried.has(place.join()))
  for (const place of places) tried.add(place.join())
  return places.flatMap((place) =>
    [undefined, ...hostileValues].map((value) => ({
      name,
      message: changeAt(renumber(example, nextNumber()), place, value),
    })),
  )
}

async function checkAllThatIsRead({ service, network, deviceIds }: Bench) {
  const read = async (url: string) => {
    const { status, text } = await service.call('GET', url)
    assert.equal(status, 200, `${url}: ${text.slice(0, 1000)}`)
  }
  const { body } = await service.call('GET', '/v1/devices/all/uplink?itemsPerPage=1')
  const pages = Math.max(1, Math.ceil(body.meta.total / 1000))
  for (let page = 1; page <= pages; page += 1) {
    await read(`/v1/devices/all/uplink?itemsPerPage=1000&page=${page}`)
    await read(`/v1/devices/all/uplink?version=lite&itemsPerPage=1000&page=${page}`)
  }
  await read('/v1/devices?itemsPerPage=1000')
  await read('/v1/devices?version=lite&itemsPerPage=1000')
  await read('/v1/gateways?itemsPerPage=1000')
  await read('/v1/gateways?version=lite&itemsPerPage=1000')
  for (const id of deviceIds) {
    await read(`/v1/devices/${id}`)
    await read(`/v1/devices/${id}/uplink?itemsPerPage=1000`)
    await read(`/v1/devices/${id}/configure`)
    await read(`/v1/devices/${id}/measurements?from=1970-01-01&to=9999-12-31&points=7`)
  }
  const exported = await service.call('POST', '/v1/devices/all/uplink')
  assert.equal(exported.status, 200, exported.text.slice(0, 1000))
  if (!network.capabilities.lists?.includes('devices')) return
  const compared = await service.call('POST', `/v1/network-accounts/${network.key}/reconcile`)
  assert.equal(compared.status, 200, compared.text.slice(0, 1000))
}

async function startBench(
  context: { after(end: () => Promise<void>): unknown },
  network: Network,
): Promise<Bench> {
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

/** Returns the status. A message is stored or ignored (2xx), or refused for its content (400). */
async function postTo(
  service: TestService,
  url: string,
  headers: Record<string, string>,
  message: unknown,
): Promise<number> {
  const payload = JSON.stringify(message) ?? 'null'
  const { status, text } = await service.call('POST', url, {
    as: null,
    headers: { ...headers, 'content-type': 'application/json' },
    body: payload,
  })
  assert.ok(isTaken(status) || status === 400, `${status} ${text} to ${payload.slice(0, 2000)}`)
  return status
}
