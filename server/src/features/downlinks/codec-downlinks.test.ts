import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addType } from '../../../test/device-types.ts'
import {
  addBenchDevice,
  atNetwork,
  configure,
  readEvents,
  readHistory,
  startBench,
} from '../../../test/downlinks.ts'
import { findAll, parseHtml, textOf } from '../../../test/html.ts'

/** Downlinks to devices of an own type, which the codec of that type encodes. */

const bench = await startBench({ after })
let count = 0

async function addOwn(codec: string | null): Promise<string> {
  count += 1
  const payload_format = codec === null ? 'cayenne_lpp' : 'ts013'
  const type = await addType(bench.service, { codec, payload_format })
  return (await addBenchDevice(bench, count, { deviceType: type.id })).eui
}

const sensor = { islorawan: 1, config_type: 'sensor' }
const send = (eui: string, fields: object) => configure(bench, eui, { ...sensor, ...fields })
const portsOf = (eui: string) =>
  bench.simulator.devices.get(eui.toLowerCase())?.queue.map(({ fPort }) => fPort)

const interval = `function encodeDownlink(input) {
  var minutes = input.data.interval
  if (minutes === undefined) return { errors: ['interval is missing', 'say <minutes>'] }
  var warnings = minutes < 5 ? ['The battery will not <last>'] : []
  return { bytes: [3, minutes >> 8, minutes & 255], fPort: input.data.port, warnings: warnings }
}`
const own = await addOwn(interval)

// shows 11.6.13
test('bytes and port of the codec go into the ledger and to the network', async () => {
  const answer = await send(own, { codec_data: { interval: 600, port: 17 } })
  assert.deepEqual([answer.status, answer.body.status], [200, true])
  assert.deepEqual(atNetwork(bench, own), ['030258'])
  assert.deepEqual(portsOf(own), [17])
  const [created] = await readHistory(bench, own)
  assert.equal(
    created?.eventData,
    'Data: {&quot;interval&quot;:600,&quot;port&quot;:17}<br>Port: 17<br>Message: 03 02 58',
  )
  await bench.simulator.sendUplink(own)
  assert.deepEqual(await readEvents(bench, own), ['created', 'sent'])
})

test('without a port of the codec it goes to the one entered, else to that of the latest uplink', async () => {
  const eui = await addOwn(interval)
  const codec_data = '{ "interval": 7 }'
  await send(eui, { codec_data })
  await send(eui, { codec_data, codec_port: '44' })
  await send(eui, { codec_data, codec_port: 45 })
  await send(eui, { codec_data: { interval: 7, port: 46 }, codec_port: 46 })
  assert.deepEqual(portsOf(eui), [2, 44, 45, 46])
})

test('a port entered is what encodeDownlink gets, and warnings stand in the history', async () => {
  const eui = await addOwn(`function encodeDownlink(input) {
    return { bytes: new Uint8Array([input.fPort]), fPort: input.fPort, warnings: ['a', '<b>'] } }`)
  await send(eui, { codec_port: 9 })
  assert.deepEqual([atNetwork(bench, eui), portsOf(eui)], [['09'], [9]])
  const [created] = await readHistory(bench, eui)
  assert.equal(
    created?.eventData,
    'Data: {}<br>Port: 9<br>Warning: a<br>Warning: &lt;b&gt;<br>Message: 09',
  )
})

test('the longest frame and the oldest kind of codec are taken', async () => {
  const eui = await addOwn('function Encoder(object, port) { return Array(242).fill(port) }')
  assert.equal((await send(eui, { codec_port: 223 })).status, 200)
  assert.deepEqual(atNetwork(bench, eui), ['df'.repeat(242)])
})

const entries: [string, object, Record<string, RegExp>][] = [
  [
    'errors of the codec',
    { codec_data: {} },
    { codec_data: /^interval is missing say <minutes>$/ },
  ],
  ['text that is no JSON', { codec_data: '{' }, { codec_data: /must be a JSON object/ }],
  ['a list', { codec_data: [1] }, { codec_data: /must be a JSON object/ }],
  ['a list as text', { codec_data: '[1]' }, { codec_data: /must be a JSON object/ }],
  ['too much', { codec_data: { a: 'x'.repeat(8000) } }, { codec_data: /8000 characters/ }],
  [
    'too many levels',
    { codec_data: `{"a":${'['.repeat(9000)}${']'.repeat(9000)}}` },
    { codec_data: /too many levels/ },
  ],
  ['port 0', { codec_port: 0 }, { codec_port: /1 to 223/ }],
  ['port 224 as text', { codec_port: '224' }, { codec_port: /1 to 223/ }],
  [
    'two ports that differ',
    { codec_data: { interval: 1, port: 5 }, codec_port: 6 },
    { codec_port: /^The codec sends this to port 5\.$/ },
  ],
  [
    'a setting that it does not have, with a wrong port',
    { 301: { group: 1 }, codec_port: 'x' },
    { 301: /no setting "301"/, codec_port: /1 to 223/ },
  ],
  [
    'members that are none, in whatever shape',
    { codec_data: { interval: 1 }, nonsense: { codec_data: {} }, supervisory_period: { main: 1 } },
    { nonsense: /no setting "nonsense"/, supervisory_period: /must be a number/ },
  ],
  ['the section general', { config_type: 'general' }, { config_type: /no general settings/ }],
]
for (const [about, fields, errors] of entries) {
  // shows 11.6.14
  test(`refuses ${about}`, () => refuses(own, fields, errors))
}

async function refuses(eui: string, fields: object, errors: Record<string, RegExp>) {
  const before = await readHistory(bench, eui)
  const answer = await send(eui, fields)
  assert.equal(answer.status, 422, answer.text)
  const names = Object.keys(errors).map((name) => `config_field.${name}`)
  assert.deepEqual(Object.keys(answer.body.errors), names)
  for (const [name, message] of Object.entries(errors)) {
    assert.match(answer.body.errors[`config_field.${name}`][0], message)
  }
  assert.deepEqual(await readHistory(bench, eui), before)
}

test('refuses a sensor section in which nothing is set', async () => {
  for (const fields of [{}, { codec_data: ' ', codec_port: '', 301: { group: '' } }]) {
    const answer = await send(own, fields)
    const message = 'The sensor configuration is empty: set at least one field.'
    assert.deepEqual([answer.status, answer.body.errors], [422, { config_field: [message] }])
  }
})

const encoders: [string, string, RegExp][] = [
  ['throws', 'throw new Error("no such command")', /^Error: no such command$/],
  ['never ends', 'while (true) {}', /stopped after 100 ms/],
  ['returns text', 'return "010203"', /no object/],
  ['returns bytes as text', 'return { bytes: "010203" }', /no list of 1 to 242 bytes/],
  ['returns nothing to send', 'return { bytes: [] }', /no list of 1 to 242 bytes/],
  ['returns too much', 'return { bytes: Array(243).fill(1) }', /no list of 1 to 242 bytes/],
  ['returns 256', 'return { bytes: [256] }', /no list of 1 to 242 bytes/],
  ['returns half a byte', 'return { bytes: [0.5] }', /no list of 1 to 242 bytes/],
  ['returns NaN', 'return { bytes: [NaN] }', /no list of 1 to 242 bytes/],
  ['returns holes', 'return { bytes: [1,,2] }', /no list of 1 to 242 bytes/],
  ['chooses port 0', 'return { bytes: [1], fPort: 0 }', /port that is none from 1 to 223/],
  ['chooses port 224', 'return { bytes: [1], fPort: 224 }', /port that is none from 1 to 223/],
  ['chooses a port in words', 'return { bytes: [1], fPort: "5" }', /port that is none/],
  ['is a promise', 'return Promise.resolve({ bytes: [1] })', /returned a promise/],
]
for (const [about, body, message] of encoders) {
  // shows 11.6.14
  test(`refuses when encodeDownlink ${about}`, async () => {
    const eui = await addOwn(`function encodeDownlink(input) { ${body} }`)
    await refuses(eui, { codec_data: {} }, { codec_data: message })
  })
}

test('the form and its data offer both fields, and the form sent back unchanged is taken', async () => {
  const eui = await addOwn('exports.encodeDownlink = (input) => ({ bytes: [1] })')
  const [section, ...others] = await readSections(eui)
  assert.deepEqual(
    section?.fields.map(({ name, type, wrapper }) => [name, type, wrapper]),
    [
      ['codec_data', 'json', null],
      ['codec_port', 'number', null],
    ],
  )
  assert.equal(section?.note, null)
  for (const { fields, note } of others) {
    assert.deepEqual(fields, [])
    assert.match(note ?? '', /what its codec encodes/)
  }
  const form = await readForm(eui)
  const [data] = findAll(form, 'textarea')
  const port = findAll(form, 'input').find(({ attributes }) => attributes.type === 'number')
  assert.equal(data?.attributes.name, 'config_field[codec_data]')
  assert.equal(port?.attributes.name, 'config_field[codec_port]')
  const sent = { codec_data: data && textOf(data), codec_port: port?.attributes.value }
  assert.deepEqual(sent, { codec_data: '{}', codec_port: '' })
  assert.equal((await send(eui, sent)).status, 200)
})

const silent: [string, string | null, RegExp][] = [
  ['has no encodeDownlink', 'function decodeUplink() {}', /has no encodeDownlink/],
  ['does not load', 'throw new Error("early")', /does not load: Error: early/],
  ['is CayenneLPP', null, /CayenneLPP has no encodeDownlink/],
]
for (const [about, codec, reason] of silent) {
  // shows 11.6.15
  test(`there are no fields, but the reason, when the codec ${about}`, async () => {
    const eui = await addOwn(codec)
    const [section] = await readSections(eui)
    assert.deepEqual(section?.fields, [])
    assert.match(section?.note ?? '', reason)
    const form = await readForm(eui)
    assert.match(textOf(form), reason)
    const radios = findAll(form, 'input').filter(({ attributes }) => attributes.type === 'radio')
    assert.ok(radios.every(({ attributes }) => 'disabled' in attributes))
    assert.deepEqual(findAll(form, 'textarea'), [])
    assert.equal((await send(eui, {})).status, 422)
  })
}

async function readSections(eui: string) {
  const answer = await bench.service.call('GET', `/v1/devices/${eui}/configure/fields`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.sections as {
    note: string | null
    fields: Record<'name' | 'type' | 'wrapper', unknown>[]
  }[]
}

async function readForm(eui: string) {
  const answer = await bench.service.call('GET', `/v1/devices/${eui}/configure/create`)
  assert.equal(answer.status, 200, answer.text)
  return parseHtml(answer.text)
}
