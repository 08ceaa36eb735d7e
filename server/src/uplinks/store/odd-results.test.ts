import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  makeUp,
  post,
  readQuarantineOf,
} from '../../../test/chirpstack-uplinks.ts'
import { addType } from '../../../test/device-types.ts'
import { addDevice, euiOf } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'

/** Values that no codec should return, through the callback into the database and out again. */

const service = await startTestService({ after })
const callback = await connectChirpStack(service)
let count = 0

/** What `decodeUplink` returns, and the members of `decoded_object` that this gives. */
const read: [string, string, Record<string, unknown>][] = [
  ['a getter', '{ get data() { return { get a() { return 1 } } } }', { a: 1 }],
  ['a toJSON as data', '{ data: { toJSON() { return { a: 5 } } } }', { a: 5 }],
  ['a toJSON of undefined', '{ data: { a: { toJSON() {} } } }', {}],
  [
    'a proxy that lies about its members',
    `{ data: new Proxy({ a: 1 }, { ownKeys: () => ["a", "b"],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 2 }) }) }`,
    { a: 1 },
  ],
  ['a long text', '{ data: { a: "x".repeat(60000) } }', { a: 'x'.repeat(60_000) }],
  ['a long name', '{ data: { ["x".repeat(60000)]: 1 } }', { ['x'.repeat(60_000)]: 1 }],
  ['31 levels', '{ data: { a: (function nest(n) { return n ? [nest(n - 1)] : 1 })(30) } }', {}],
  [
    'what is no number in JSON',
    '{ data: { a: NaN, b: Infinity, c: -Infinity, d: -0 } }',
    { a: null, b: null, c: null, d: 0 },
  ],
  [
    'numbers at the ends of their range',
    '{ data: { a: Number.MAX_VALUE, b: 5e-324, c: -1e308, d: 2 ** 53 } }',
    { a: Number.MAX_VALUE, b: 5e-324, c: -1e308, d: 2 ** 53 },
  ],
  [
    'dates',
    '{ data: { a: new Date(0), b: new Date(NaN) } }',
    { a: '1970-01-01T00:00:00.000Z', b: null },
  ],
  [
    'arrays of bytes, maps and sets',
    '{ data: { a: new Uint8Array([1, 2]), b: new ArrayBuffer(2), c: new Map([[1, 2]]) } }',
    { a: { 0: 1, 1: 2 }, b: {}, c: {} },
  ],
  [
    'symbols and functions',
    '{ data: { [Symbol("x")]: 1, a: Symbol("y"), f() {}, u: undefined, n: null } }',
    { n: null },
  ],
  [
    'names of what objects inherit',
    `{ data: JSON.parse('{ "__proto__": { "x": 1 }, "toString": 1, "hasOwnProperty": 2 }') }`,
    JSON.parse('{ "__proto__": { "x": 1 }, "toString": 1, "hasOwnProperty": 2 }'),
  ],
  [
    'halves of surrogate pairs',
    '{ data: { "k\\ud800": "v\\udc00", "k\\ud83d\\ude00": "\\ud83d\\ude00" } }',
    { 'k\ufffd': 'v\ufffd', 'k😀': '😀' },
  ],
  [
    'NUL and other controls',
    '{ data: { "k\\u0000": "v\\u0000", a: ["\\u0000", { "\\u0000": 1 }], b: "\\u0001\\uffff" } }',
    { 'k\ufffd': 'v\ufffd', a: ['\ufffd', { '\ufffd': 1 }], b: '\u0001\uffff' },
  ],
  ['NUL in its description', '{ data: { eventDescription: "\\u0000".repeat(500) } }', {}],
  ['NUL in warnings', '{ data: {}, warnings: ["\\u0000\\ud800", { "\\u0000": 1 }, null] }', {}],
  ['very many warnings', '{ data: {}, warnings: new Array(16000).fill("") }', {}],
  ['a description that is no text', '{ data: { eventDescription: { a: 1 }, b: 1 } }', { b: 1 }],
  ['names without letters', '{ data: { "": 1, " ": 2 } }', { '': 1, ' ': 2 }],
]

/** What `decodeUplink` returns, and what the uplink says of it. */
const unread: [string, string, RegExp][] = [
  ['a getter that throws', '{ get data() { throw "no data" } }', /^no data$/],
  ['a getter without an end', '{ data: { get a() { while (1); } } }', /stopped after 100 ms/],
  ['a toJSON of text', '{ data: { toJSON: () => "x" } }', /no object as data/],
  [
    'a toJSON of every object',
    '(Object.prototype.toJSON = () => [1], { data: { a: 1 } })',
    /no object as data/,
  ],
  [
    'a proxy without an end',
    `(function nest() { return { data: new Proxy({}, { ownKeys: () => ["a"], get: () => nest().data,
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) }) } })()`,
    /stopped after 100 ms|stack overflow/,
  ],
  [
    'a revoked proxy',
    '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()',
    /revoked proxy/,
  ],
  ['a text of a gigabyte', '{ data: { a: "x".repeat(1e9) } }', /out of memory/],
  ['a circle', '(() => { const a = {}; a.a = a; return { data: a } })()', /circular/],
  [
    '500 levels',
    '{ data: (function nest(n) { return n ? { a: nest(n - 1) } : {} })(500) }',
    /level/,
  ],
  ['a BigInt', '{ data: { a: 1n } }', /BigInt/],
  ['a promise', '(async () => ({ data: { a: 1 } }))()', /returned a promise.*remove async/],
  ['a generator', '(function* () { yield { data: {} } })()', /no object as data/],
  ['errors with NUL', '{ errors: ["a\\u0000b\\ud800", { "\\u0000": 1 }] }', /^a\ufffdb\ufffd {/],
  ['10 MB of zeros', '{ data: { a: new Array(2000).fill(1e308) } }', /too many huge or tiny/],
]

const cases = [
  ...read.map(([what, expression, members]) => ({ what, expression, members, reason: /^/ })),
  ...unread.map(([what, expression, reason]) => ({ what, expression, members: {}, reason })),
]
for (const { what, expression, members, reason } of cases) {
  // shows 11.6.16
  test(`keeps the frame of a codec that returns ${what}`, async () => {
    const { typeId, eui } = await addSender(expression)
    await send(eui)
    const { body, status, text } = await service.call('GET', `/v1/devices/${eui}/uplink`)
    assert.deepEqual([status, body.data.length], [200, 1], text)
    const [uplink] = body.data
    const isRead = read.some(([name]) => name === what)
    assert.equal(uplink.event_type, isRead ? 'DECODED' : 'UNKNOWN', text.slice(0, 2000))
    assert.match(uplink.decoded_object.eventDescription, reason)
    assert.ok(uplink.decoded_object.eventDescription.length <= 200)
    assert.ok(uplink.decoded_message.length > 0 && uplink.decoded_message.length < 4000)
    for (const [name, value] of Object.entries(members)) {
      assert.deepEqual(uplink.decoded_object[name], value)
    }
    await canBeLookedAt(eui, typeId)
  })
}

// shows 11.6.16
test('none of them keeps another frame of the same moment from being stored', async () => {
  const good = await addSender('{ data: { well: true } }')
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  await Promise.all(numbers.map((number) => send(euiOf(number))))
  const { body } = await service.call('GET', `/v1/devices/${good.eui}/uplink`)
  assert.equal(body.data[0].decoded_object.well, true)
  const all = await service.call('GET', '/v1/devices/all/uplink')
  assert.equal(all.body.meta.total, cases.length * 2 + 1)
  assert.deepEqual(await readQuarantineOf(service, 1), [])
  assert.equal((await service.call('POST', '/v1/devices/all/uplink')).status, 200)
})

async function addSender(expression: string) {
  count += 1
  const codec = `function decodeUplink(input) { return ${expression} }`
  const type = await addType(service, { codec })
  await addDevice(service, count, { deviceType: type.id })
  return { eui: euiOf(count), typeId: type.id }
}

async function send(eui: string): Promise<void> {
  const answer = await post(service, callback, makeUp({ eui, hex: '01' }))
  assert.equal(answer.status, 200, answer.text)
}

/** Everything else that shows what a codec returned. */
async function canBeLookedAt(eui: string, typeId: number): Promise<void> {
  const examples = [{ input: { hex: '01' }, output: { data: { a: { a: 1 } } } }]
  const type = `/v1/device-types/${typeId}`
  const answers = [
    await service.call('GET', `/v1/devices/${eui}/measurements?from=2020-01-01&to=2030-01-01`),
    await service.call('POST', `${type}/try`, { body: { input: { hex: '01' } } }),
    await service.call('POST', `${type}/try`, { body: { last: 5 } }),
    await service.call('PATCH', type, { body: { examples } }),
  ]
  for (const { status, text } of answers) assert.equal(status, 200, text)
}
