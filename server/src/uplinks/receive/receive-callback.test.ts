import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  connectChirpStack,
  exampleEui,
  makeOrganization,
  makeUp,
  post,
  readExample,
  toTestCallback,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { fc } from '../../../test/properties.ts'
import { startListening } from '../../../test/service.ts'

const service = await startListening({ after })
let callback = await connectChirpStack(service)
await addLocalDevice(service, exampleEui)
const other = await makeOrganization(service, 'other')
const otherCallback = await connectChirpStack(service, { as: other })

async function countUplinks(): Promise<number> {
  const { body } = await service.call('GET', '/v1/devices/all/uplink')
  return body.meta.total
}

async function listEvents(): Promise<Record<string, unknown>[]> {
  return service.services.db.query('select kind, details from network_events order by id')
}

describe('an uplink', () => {
  // shows 6.1.2, 11.2.1
  test('is stored once, however often and however many at once it is sent', async () => {
    const published = readExample('up')
    const many = Array.from({ length: 20 }, () => post(service, callback, published))
    for (const { status, body } of await Promise.all(many)) {
      assert.equal(status, 200)
      assert.deepEqual(body, { status: true })
    }
    assert.equal((await post(service, callback, published)).status, 200)
    assert.equal(await countUplinks(), 1)
  })

  test('is stored whatever type its body is said to have', async () => {
    const before = await countUplinks()
    for (const type of [
      'text/plain',
      'application/octet-stream',
      'application/json; charset=x',
      'json',
      ';',
    ]) {
      const headers = { 'content-type': type }
      const { status } = await post(service, callback, JSON.stringify(makeUp()), { headers })
      assert.equal(status, 200, type)
    }
    assert.equal(await countUplinks(), before + 5)
  })

  // shows 10.6.19
  test('on port 0, with no payload of the application, is none', async () => {
    const before = await countUplinks()
    assert.equal((await post(service, callback, makeUp({ fPort: 0 }))).status, 200)
    assert.equal(await countUplinks(), before)
  })

  test('is accepted under every name of the network', async () => {
    const before = await countUplinks()
    for (const name of ['network_key_9', '%3Cnetwork_key_9%3E']) {
      const path = callback.path.replace('chirpstack', name)
      assert.equal((await post(service, { ...callback, path }, makeUp())).status, 200)
    }
    assert.equal(await countUplinks(), before + 2)
  })
})

describe('the secret', () => {
  // shows 11.2.4
  test('is refused with one answer: missing, wrong, or of another account', async () => {
    const uuid = callback.path.split('/').at(-1) ?? ''
    const unknownPath = callback.path.replace(uuid, 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6')
    const refused = await Promise.all([
      post(service, { ...callback, header: 'x-other-header' }, makeUp()),
      post(service, { ...callback, value: '' }, makeUp()),
      post(service, { ...callback, value: `${callback.value}x` }, makeUp()),
      post(service, { ...callback, value: otherCallback.value }, makeUp()),
      post(service, { ...callback, path: unknownPath }, makeUp()),
      post(service, { ...callback, path: callback.path.replace(uuid, 'no-uuid') }, makeUp()),
      // The secret is looked at before the message.
      post(service, { ...callback, value: 'wrong' }, 'no JSON'),
    ])
    for (const { status, body } of refused) {
      assert.equal(status, 401)
      assert.deepEqual(body, { message: 'The callback secret is missing or wrong.' })
    }
  })

  test('of one network opens no other', async () => {
    for (const name of ['loriot', 'other', 'nowhere', '__proto__']) {
      const path = callback.path.replace('chirpstack', name)
      const { status } = await post(service, { ...callback, path }, makeUp())
      assert([401, 404].includes(status), `${name}: ${status}`)
    }
  })

  test('that was rotated out is good for 24 hours more', async () => {
    const { body } = await service.call('POST', '/v1/network-accounts/chirpstack/rotate')
    const fresh = toTestCallback(body.data.callback)
    assert.equal(fresh.path, callback.path)
    assert.notEqual(fresh.value, callback.value)
    const statuses = async () => [
      (await post(service, callback, makeUp())).status,
      (await post(service, fresh, makeUp())).status,
    ]
    assert.deepEqual(await statuses(), [200, 200])
    service.setClock(new Date('2026-03-02T11:59:59.999Z'))
    assert.deepEqual(await statuses(), [200, 200])
    service.setClock(new Date('2026-03-02T12:00:00.000Z'))
    assert.deepEqual(await statuses(), [401, 200])
    callback = fresh
  })

  test('stays the same when the account is changed, and ends with it', async () => {
    const other = await makeOrganization(service, 'leaving')
    const theirs = await connectChirpStack(service, { as: other })
    assert.deepEqual(await connectChirpStack(service, { as: other }), theirs)
    await service.call('DELETE', '/v1/network-accounts/chirpstack', { as: other })
    assert.equal((await post(service, theirs, makeUp())).status, 401)
  })
})

describe('a message that is none', () => {
  // shows 11.2.5
  test('of ChirpStack v4 is refused with a sentence', async () => {
    const cases: [unknown, string, RegExp][] = [
      [readExample('v3-legacy-up'), 'up', /ChirpStack v3.*v4 is needed/],
      ['{"deduplicationId":', 'up', /not valid JSON/],
      ['', 'up', /not valid JSON/],
      [[makeUp()], 'up', /JSON object/],
      [makeUp(), 'uplink', /event/],
      [makeUp(), '', /event/],
      [makeUp(), 'up&event=join', /event/],
      [makeUp({ data: '%' }), 'up', /base64/],
    ]
    for (const [body, event, reason] of cases) {
      const answer = await post(service, callback, body, { event })
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.body.message, reason)
    }
  })

  test('is refused when it is larger than 256 KiB', async () => {
    const before = await countUplinks()
    const text = JSON.stringify(makeUp())
    const largest = text.padEnd(256 * 1024)
    assert.equal((await post(service, callback, largest)).status, 200)
    assert.equal((await post(service, callback, `${largest} `)).status, 413)
    assert.equal(await countUplinks(), before + 1)
  })

  test('never makes the service fail, whatever bytes it has', async () => {
    const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }).map((v) => JSON.stringify(v))
    const body = fc.oneof(
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc.string(),
      json,
    )
    const event = fc.oneof(
      fc.constantFrom('up', 'join', 'ack', 'txack', 'log', 'status'),
      fc.string({ unit: 'grapheme-ascii', maxLength: 3 }).map(encodeURIComponent),
    )
    await fc.assert(
      fc.asyncProperty(body, event, async (body, event) => {
        const { status } = await post(service, callback, body, { event })
        assert(status >= 400 && status < 500, String(status))
      }),
      { numRuns: 300 },
    )
  })

  test('never makes the service fail, whatever a member of a real one is changed to', async () => {
    const names = ['up', 'join', 'ack', 'txack', 'log', 'log-expired', 'status']
    const text = fc.string({ unit: 'binary', maxLength: 120 })
    const broken = fc.constantFrom('\u0000', 'a\u0000b', '\ud800', 'x\udc00y', '\\u0000')
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, broken, fc.double())
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.nat(), value, async (name, at, value) => {
        const event = name.split('-')[0] ?? name
        const changed = changeMember(readExample(name), at, value)
        const { status, text } = await post(service, callback, changed, { event })
        assert(status < 500, `${status} ${text} ${JSON.stringify(changed)}`)
      }),
      { numRuns: 500 },
    )
  })
})

/** The event with one of its members, at any depth, replaced. */
function changeMember(event: object, at: number, value: unknown): object {
  const members: [Record<string, unknown>, string][] = []
  const collect = (node: object) => {
    for (const name of Object.keys(node)) {
      const parent = node as Record<string, unknown>
      members.push([parent, name])
      if (typeof parent[name] === 'object' && parent[name]) collect(parent[name])
    }
  }
  collect(event)
  const member = members[at % members.length]
  if (member) member[0][member[1]] = value
  return event
}

describe('an event other than an uplink', () => {
  const kinds = {
    join: 'join',
    ack: 'downlink_acknowledged',
    txack: 'downlink_sent',
    log: 'log',
    'log-expired': 'downlink_failed',
    status: 'status',
  }

  test('is kept once, however often it is sent', async () => {
    await service.services.db.query('delete from network_events')
    for (const name of Object.keys(kinds)) {
      const event = name.split('-')[0] ?? name
      const example = readExample(name)
      const body = {
        ...example,
        deviceInfo: { ...(example.deviceInfo as object), devEui: exampleEui },
      }
      const answers = await Promise.all(
        [1, 2, 3].map(() => post(service, callback, body, { event })),
      )
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
        name,
      )
    }
    const events = await listEvents()
    assert.deepEqual(
      events.map(({ kind }) => kind),
      Object.values(kinds),
    )
  })

  test('keeps what is worth keeping', async () => {
    await service.services.db.query('delete from network_events')
    await post(service, callback, readExample('status'), { event: 'status' })
    const [event] = await listEvents()
    assert.deepEqual(event?.details, { margin: 10, externalPowerSource: false, batteryLevel: 88.3 })
  })
})
