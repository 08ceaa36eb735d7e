import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  connectChirpStack,
  makeOrganization,
  makeUp,
  post,
  readQuarantineOf,
  type TestCallback,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { type Login, startTestService } from '../../../test/service.ts'

const service = await startTestService({ after })
const { call, owner } = service
const callback = await connectChirpStack(service)
const vendorCallback = await connectChirpStack(service, { registerMethod: 'vendor' })
const other = await makeOrganization(service, 'other')
const otherCallback = await connectChirpStack(service, { as: other })

let devices = 0
async function makeDevice(as: Login = owner, registerMethod?: 'vendor'): Promise<string> {
  devices += 1
  const eui = `00AA0000000000${devices.toString(16).padStart(2, '0')}`
  await addLocalDevice(service, eui, registerMethod ? { registerMethod } : {}, as)
  return eui
}

async function list(eui: string, as: Login = owner) {
  const { status, body } = await call('GET', `/v1/devices/${eui}/uplink?itemsPerPage=1000`, { as })
  assert.equal(status, 200)
  assert.equal(body.meta.total, body.data.length)
  return body.data
}

const readQuarantine = (organizationId = 1) => readQuarantineOf(service, organizationId)

describe('an uplink of a device that nobody registered', () => {
  const eui = 'AAAA000000000001'

  test('is kept in the quarantine and counted, once however often it is sent', async () => {
    const before = (await readQuarantine()).length
    const first = makeUp({ eui })
    const second = makeUp({ eui })
    const sent = [first, first, second, first].map((up) => post(service, callback, up))
    for (const { status } of await Promise.all(sent)) assert.equal(status, 200)
    await post(service, callback, second)
    const kept = (await readQuarantine()).slice(before)
    assert.deepEqual(
      kept.map(({ reason, device_eui }) => [reason, device_eui]),
      Array(2).fill(['unknown_device', eui]),
    )
    const messages = kept.map(({ message }) => message).sort()
    assert.deepEqual(messages, [first, second].map((up) => JSON.stringify(up)).sort())
  })

  test('holds up none of its neighbours', async () => {
    const known = await makeDevice()
    const ups = Array.from({ length: 20 }, (_, index) => makeUp({ eui: index % 2 ? eui : known }))
    await Promise.all(ups.map((up) => post(service, callback, up)))
    assert.equal((await list(known)).length, 10)
  })

  test('is quarantined too for another event than an uplink', async () => {
    const before = (await readQuarantine()).length
    const join = { ...makeUp({ eui }), devAddr: '00189440' }
    await post(service, callback, join, { event: 'join' })
    await post(service, callback, join, { event: 'join' })
    assert.equal((await readQuarantine()).length, before + 1)
  })
})

describe('an account', () => {
  async function assertKept(sender: TestCallback, organizationId: number, eui: string) {
    const before = (await readQuarantine(organizationId)).length
    assert.equal((await post(service, sender, makeUp({ eui }))).status, 200)
    const kept = await readQuarantine(organizationId)
    assert.equal(kept.length, before + 1)
    assert.equal(kept.at(-1)?.device_eui, eui)
  }

  test('never touches a device of another organization', async () => {
    const theirs = await makeDevice(other)
    await assertKept(callback, 1, theirs)
    const ours = await makeDevice()
    await assertKept(otherCallback, other.organizationId, ours)
    for (const [eui, as] of [
      [theirs, other],
      [ours, owner],
    ] as const) {
      assert.deepEqual(await list(eui, as), [])
      const { body } = await call('GET', `/v1/devices/${eui}?version=lite`, { as })
      assert.equal(body.data?.last_seen ?? body.last_seen, '--')
    }
  })

  test('of the operator speaks for the devices registered with it, and for no other', async () => {
    const served = await makeDevice(other, 'vendor')
    assert.equal((await post(service, vendorCallback, makeUp({ eui: served }))).status, 200)
    assert.equal((await list(served, other)).length, 1)
    await assertKept(vendorCallback, 1, await makeDevice(other))
    // The organization's own account may name it, the operator's plain one may not.
    await post(service, otherCallback, makeUp({ eui: served }))
    assert.equal((await list(served, other)).length, 2)
    await assertKept(callback, 1, served)
  })

  test('speaks for a device of its own network only', async () => {
    const eui = await makeDevice()
    await service.services.db.query(`update devices set network = 'loriot' where eui = $1`, [eui])
    await assertKept(callback, 1, eui)
  })

  test('speaks for a device registered again, and no more for the deleted one', async () => {
    const eui = await makeDevice()
    await post(service, callback, makeUp({ eui }))
    assert.equal((await call('DELETE', `/v1/devices/${eui}`)).status, 204)
    await assertKept(callback, 1, eui)
    await addLocalDevice(service, eui)
    assert.deepEqual(await list(eui), [])
    await post(service, callback, makeUp({ eui }))
    assert.equal((await list(eui)).length, 1)
  })
})

describe('a frame', () => {
  // shows 10.7.2
  test('that no decoder reads is stored as UNKNOWN', async () => {
    const eui = await makeDevice()
    for (const hex of ['', '10', 'aa', '10ee', '1003', '10ee07', 'ff'.repeat(255)]) {
      assert.equal((await post(service, callback, makeUp({ eui, hex }))).status, 200)
    }
    const uplinks = await list(eui)
    assert.equal(uplinks.length, 7)
    for (const uplink of uplinks) {
      assert.equal(uplink.event_type, 'UNKNOWN')
      assert.equal(uplink.decoded_message.length > 0, true)
      assert.equal(uplink.decoded_object.eventDescription.length > 0, true)
    }
  })

  test('with the key of another device is another uplink', async () => {
    const [one, two] = [await makeDevice(), await makeDevice()]
    const up = makeUp({ eui: one })
    await post(service, callback, up)
    await post(service, callback, { ...makeUp({ eui: two }), deduplicationId: up.deduplicationId })
    assert.deepEqual([(await list(one)).length, (await list(two)).length], [1, 1])
  })
})
