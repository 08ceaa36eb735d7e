import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  connectChirpStack,
  makeOrganization,
  makeUp,
  post,
  type TestCallback,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { fc } from '../../../test/properties.ts'
import { type Login, publicUrl, startTestService } from '../../../test/service.ts'

const service = await startTestService({ after })
const { call, owner, services } = service

describe('the list', () => {
  test('of an organization without an uplink is empty', async () => {
    const { status, body } = await call('GET', '/v1/devices/all/uplink')
    assert.equal(status, 200)
    assert.deepEqual(body.data, [])
    assert.deepEqual([body.meta.total, body.meta.last_page, body.meta.from], [0, 1, null])
  })

  // shows 4.13.1
  test('has the envelope of all lists', async () => {
    const path = '/v1/devices/all/uplink'
    const { body } = await call('GET', `${path}/?itemsPerPage=5&page=2`)
    assert.equal(body.meta.path, publicUrl + path)
    assert.equal(body.links.first, `${publicUrl}${path}?itemsPerPage=5&page=1`)
    assert.deepEqual(body.payload, { page: '2', itemsPerPage: '5' })
    assert.equal(body.meta.per_page, '5')
    assert.equal((await call('GET', `${path}?page=0`)).status, 422)
    assert.equal((await call('GET', path, { as: null })).status, 401)
  })
})

/** An organization, and what its lists must hold. */
interface Tenant {
  login: Login
  callback: TestCallback
  /** The registered ones; the last is one of the other organization's. */
  euis: string[]
  /** The uplinks as `EUI counter`, in the order of their arrival. */
  model: string[]
  quarantined: Set<string>
}

async function makeTenant(login: Login, digit: number): Promise<Tenant> {
  const callback = await connectChirpStack(service, { as: login })
  const euis = [1, 2, 3].map((number) => `00AA0000000000${digit}${number}`)
  for (const eui of euis) await addLocalDevice(service, eui, {}, login)
  return { login, callback, euis, model: [], quarantined: new Set() }
}

/** Sends an uplink of a device, new or known, or one that was sent before. */
interface Step {
  tenant: number
  /** 0 to 2 its own devices, 3 another organization's, 4 nobody's. */
  device: number
  /** How many uplinks ago, among all that were sent, this one was sent first; 0 for a new one. */
  repeats: number
}

const step: fc.Arbitrary<Step> = fc.record({
  tenant: fc.nat(1),
  device: fc.nat(4),
  repeats: fc.oneof(fc.constant(0), fc.nat(6)),
})

// shows 4.13.2
test('whatever is sent, lists and totals are those of a simple model', async () => {
  const tenants = [
    await makeTenant(owner, 1),
    await makeTenant(await makeOrganization(service, 'other'), 2),
  ]
  const sent: { tenant: Tenant; up: ReturnType<typeof makeUp> }[] = []

  const take = async ({ tenant: number, device, repeats }: Step) => {
    const tenant = tenants[number]
    assert(tenant)
    const foreign = tenants[1 - number]?.euis[0] ?? ''
    const eui = [...tenant.euis, foreign][device] ?? 'AAAAAAAAAAAAAAAA'
    const known = repeats > 0 ? sent.at(-repeats) : undefined
    const message = known ?? { tenant, up: makeUp({ eui, fCnt: sent.length }) }
    assert.equal((await post(service, message.tenant.callback, message.up)).status, 200)
    if (known) return
    sent.push(message)
    if (tenant.euis.includes(eui)) tenant.model.unshift(`${eui} ${sent.length - 1}`)
    else tenant.quarantined.add(message.up.deduplicationId)
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 30 }), check),
    // A fixed seed, since the last assertion is about what the run happened to cover.
    { numRuns: 25, seed: 20260301 },
  )
  async function check(steps: Step[], size: number) {
    for (const step of steps) await take(step)
    for (const tenant of tenants) {
      assert.deepEqual(await readAll(tenant, 'all', size), tenant.model)
      for (const eui of tenant.euis) {
        const expected = tenant.model.filter((uplink) => uplink.startsWith(eui))
        assert.deepEqual(await readAll(tenant, eui, size), expected)
      }
    }
    assert.deepEqual(
      await countRows(),
      tenants.map(({ model, quarantined }) => [model.length, quarantined.size]),
    )
  }
  assert(tenants.every(({ model, quarantined }) => model.length > 10 && quarantined.size > 0))
})

/** All pages of a list, one after the other, as `EUI counter`. */
async function readAll({ login }: Tenant, device: string, size: number): Promise<string[]> {
  const all: string[] = []
  for (let page = 1; ; page++) {
    const query = `itemsPerPage=${size}&page=${page}`
    const { body } = await call('GET', `/v1/devices/${device}/uplink?${query}`, { as: login })
    for (const { device_id, additional_data } of body.data) {
      all.push(`${device_id} ${additional_data.f_cnt}`)
    }
    if (body.links.next !== null) continue
    assert.equal(body.meta.total, all.length)
    return all
  }
}

/** Uplinks and quarantined messages of both organizations, counted one by one. */
async function countRows(): Promise<[number, number][]> {
  const rows = await services.db.query<{ uplinks: number; quarantined: number }>(
    `select
       (select count(*) from uplinks where uplinks.organization_id = counter.organization_id)
         as uplinks,
       (select count(*) from quarantined_messages as message
        where message.organization_id = counter.organization_id) as quarantined
     from organization_counters as counter order by organization_id`,
  )
  return rows.map(({ uplinks, quarantined }) => [uplinks, quarantined])
}
