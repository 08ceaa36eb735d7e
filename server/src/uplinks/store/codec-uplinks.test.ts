import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  makeOrganization,
  makeUp,
  post,
} from '../../../test/chirpstack-uplinks.ts'
import { addType, thermometer } from '../../../test/device-types.ts'
import { addDevice, euiOf } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'

/** Uplinks of devices whose type an organization made, through the callback of a network. */

const service = await startTestService({ after })
const callback = await connectChirpStack(service)
let count = 0

async function addSender(codec: string | null, as = service.owner, through = callback) {
  count += 1
  const format = codec === null ? 'cayenne_lpp' : 'ts013'
  const type = await addType(service, { codec, payload_format: format }, as)
  const device = await addDevice(service, count, { deviceType: type.id }, as)
  const eui = euiOf(count)
  return {
    eui,
    async send(hex: string, changes: Record<string, unknown> = {}) {
      const answer = await post(service, through, makeUp({ eui, hex, ...changes }))
      assert.equal(answer.status, 200, answer.text)
    },
    async last() {
      const { body } = await service.call('GET', `/v1/devices/${device.id}/uplink`, { as })
      return body.data[0]
    },
  }
}

// shows 11.6.7
test('data of the codec stands beside eventDescription, warnings in the message', async () => {
  const codec = `function decodeUplink(input) { return { warnings: ['low'], data: {
    t: input.recvTime.toISOString(), nested: { bytes: input.bytes }, port: input.fPort } } }`
  const { send, last } = await addSender(codec)
  await send('0102', { fPort: 9 })
  const uplink = await last()
  assert.equal(uplink.event_type, 'DECODED')
  assert.equal(uplink.data, '0102')
  const { eventDescription, t, ...rest } = uplink.decoded_object
  assert.match(eventDescription, /^t: 20/)
  assert.equal(Date.parse(t), Math.floor(Date.parse(uplink.event_time)))
  assert.deepEqual(rest, { nested: { bytes: [1, 2] }, port: 9 })
  assert.match(uplink.decoded_message, /<br>Warning: low$/)
})

test('numbers within objects and lists are measurements, named by their path', async () => {
  const codec = `function decodeUplink({ bytes }) { return { data: { volts: 3.6,
    air: { value: bytes[0] / 2, unit: '°C', displayName: 'Air' }, probes: [{ depth: 10 }, bytes[1]] } } }`
  const { send, eui } = await addSender(codec)
  const range = 'from=2026-02-28T12:00:00Z&to=2026-02-28T13:00:00Z'
  await send('2A07', { time: '2026-02-28T12:00:00Z' })
  await send('2C09', { time: '2026-02-28T12:10:00Z' })
  const show = async (query: string) => {
    const { body } = await service.call('GET', `/v1/devices/${eui}/measurements?${query}`)
    return body.data as {
      key: string
      name: string
      label: string
      unit: string | null
      latest: { value: number }
      points: { average: number }[]
    }[]
  }
  const all = await show(`${range}&points=1`)
  assert.deepEqual(
    all.map(({ key, latest, points }) => [key, latest.value, points[0]?.average]),
    [
      ['air.value', 22, 21.5],
      ['probes.0.depth', 10, 10],
      ['probes.1', 9, 8],
      ['volts', 3.6, 3.6],
    ],
  )
  const [air] = await show(`${range}&points=1&keys=air.value`)
  assert.deepEqual([air?.name, air?.label, air?.unit], ['air.value', 'Air', '°C'])
  assert.equal(air?.latest.value, 22)
})

test('CayenneLPP needs no codec', async () => {
  const { send, last } = await addSender(null)
  await send('03670110056700FF')
  assert.deepEqual((await last()).decoded_object, {
    eventDescription: 'temperature_3: 27.2, temperature_5: 25.5',
    temperature_3: 27.2,
    temperature_5: 25.5,
  })
  await send('036701')
  assert.equal((await last()).event_type, 'UNKNOWN')
})

const failing: Record<string, [string, RegExp]> = {
  throws: ['function decodeUplink() { throw new Error("no such port") }', /no such port/],
  'returns errors': ['function decodeUplink() { return { errors: ["bad frame"] } }', /^bad frame$/],
  'returns no object': ['function decodeUplink() { return "text" }', /no object/],
  'never ends': ['function decodeUplink() { while (true) {} }', /stopped after 100 ms/],
  'eats memory': [
    'function decodeUplink() { for (var a = []; ; ) a.push(new Uint8Array(100000)) }',
    /memory|stopped|ended/,
  ],
  'does not load': ['throw new Error("early")', /does not load: Error: early/],
  'is empty': ['var nothing', /no function decodeUplink/],
  'gives odd characters': ['function decodeUplink() { throw "a\\u0000\\ud800" }', /^a/],
}
for (const [what, [codec, description]] of Object.entries(failing)) {
  // shows 11.6.8
  test(`keeps the frame as UNKNOWN when the codec ${what}`, async () => {
    const { send, last } = await addSender(codec)
    await send('00d7')
    const uplink = await last()
    assert.equal(uplink.event_type, 'UNKNOWN')
    assert.equal(uplink.data, '00d7')
    assert.match(uplink.decoded_object.eventDescription, description)
  })
}

test('hostile codecs delay no uplink of anybody else', async () => {
  const other = await makeOrganization(service, 'hostile')
  const hostile = await connectChirpStack(service, { as: other })
  const endless = await addSender('function decodeUplink() { while (true) {} }', other, hostile)
  const native = await addSender(
    'function decodeUplink() { return { data: new Array(400000000).join("x") } }',
    other,
    hostile,
  )
  const good = await addSender(thermometer)
  await good.send('0001')
  const start = performance.now()
  const attack = Promise.all(
    Array.from({ length: 60 }, (_, index) => (index % 2 ? native : endless).send('ff')),
  ).then(() => performance.now() - start)
  const waits: number[] = []
  for (let number = 0; number < 20; number += 1) {
    const begun = performance.now()
    await good.send(number.toString(16).padStart(4, '0'))
    waits.push(performance.now() - begun)
  }
  // Two threads hang for 1.5 s each and are replaced; whoever waited for that would wait for all of
  // it. A good frame may find a thread that is only just starting. All of it is slower on a machine
  // that is busy with other tests.
  const half = (await attack) / 2
  assert.ok(Math.max(...waits) < half, `waited ${Math.max(...waits)} ms, of ${half} ms`)
  assert.equal((await good.last()).decoded_object.temperature, 1.9)
  assert.equal((await endless.last()).event_type, 'UNKNOWN')
  const { body } = await service.call('GET', '/v1/devices/all/uplink', { as: other })
  assert.equal(body.meta.total, 60)
})

test('endless codecs pause no other codec, of their organization or of its neighbours', async () => {
  const attacker = await makeOrganization(service, 'attacker')
  const through = await connectChirpStack(service, { as: attacker })
  const endless = 'function decodeUplink() { while (true) {} }'
  const broken: Awaited<ReturnType<typeof addSender>>[] = []
  for (const number of [1, 2, 3, 4]) {
    broken.push(await addSender(`${endless} // ${number}`, attacker, through))
  }
  const neighbours = [await addSender(thermometer, attacker, through), await addSender(thermometer)]
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([...broken, ...neighbours].map(({ send }) => send('00d7')))
    for (const { last } of neighbours) {
      assert.equal((await last()).decoded_object.temperature, 21.5)
    }
  }
  for (const { last } of broken) {
    assert.match((await last()).decoded_message, /stopped too often and is not run for/)
  }
})
