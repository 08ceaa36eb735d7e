import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { networks, optionalNetworks, switchOnNetworks } from '../src/networks/index.ts'
import { changeAt, hostileValues, type Json, placesIn, renumber } from './hostile-values.ts'
import { type MessageBench as Bench, isTaken, startBench } from './message-bench.ts'
import { fc } from './properties.ts'

switchOnNetworks(optionalNetworks.map(({ key }) => key))

/**
 * No message can break later reads. Every member of each network's examples gets every hostile
 * value. After that, all endpoints that show messages must still answer.
 */

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
