import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultCodecLimits } from './codec.ts'
import { cacheLengthOf } from './pool.ts'
import { createSandbox } from './sandbox.ts'

const sandbox = await createSandbox(defaultCodecLimits)
const input = JSON.stringify({
  bytes: [1, 2, 254],
  fPort: 7,
  recvTime: '2026-03-01T12:00:00Z',
  variables: {},
})

function call(source: string, name: 'decodeUplink' | 'encodeDownlink' = 'decodeUplink') {
  return sandbox.call({ source, name, input })
}

/** What the codec returns as data. */
function dataOf(source: string) {
  const outcome = call(source)
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return JSON.parse(outcome.text).data
}

const returning = (expression: string) =>
  `function decodeUplink(input) { return { data: ${expression} } }`

test('gives bytes, port, time and variables as TS013 and ChirpStack do', () => {
  const expression = `{ bytes: input.bytes, isList: Array.isArray(input.bytes), port: input.fPort,
    time: input.recvTime.getTime(), variables: input.variables }`
  assert.deepEqual(dataOf(returning(expression)), {
    bytes: [1, 2, 254],
    isList: true,
    port: 7,
    time: Date.UTC(2026, 2, 1, 12),
    variables: {},
  })
})

const styles: Record<string, string> = {
  'a plain function': 'function decodeUplink(i) { return { data: { port: i.fPort } } }',
  'a constant': 'const decodeUplink = (i) => ({ data: { port: i.fPort } })',
  'module.exports': 'module.exports = { decodeUplink(i) { return { data: { port: i.fPort } } } }',
  exports: 'exports.decodeUplink = (i) => ({ data: { port: i.fPort } })',
  'The Things Network v2': 'function Decoder(bytes, port) { return { port: port } }',
  'ChirpStack v3': 'function Decode(fPort, bytes, variables) { return { port: fPort } }',
}
for (const [name, source] of Object.entries(styles)) {
  test(`finds decodeUplink as ${name}`, () => assert.deepEqual(dataOf(source), { port: 7 }))
}

const modules: Record<string, string> = {
  'an exported function': 'export function decodeUplink(i) { return { data: { port: i.fPort } } }',
  'an exported list':
    'const f = (i) => ({ data: { port: i.fPort } }); export { f as decodeUplink }',
  'an exported object': 'export default { decodeUplink: (i) => ({ data: { port: i.fPort } }) }',
  'a function that is not exported':
    'import { Buffer } from "buffer"\nfunction decodeUplink(i) { return { data: { port: Buffer.from([i.fPort])[0] } } } // end',
  'an older function': 'export function Decode(fPort, bytes) { return { port: fPort } }',
}
for (const [name, source] of Object.entries(modules)) {
  test(`finds decodeUplink in an ES module as ${name}`, () => {
    assert.deepEqual(dataOf(source), { port: 7 })
    assert.equal(sandbox.parse(source), undefined)
  })
}

test('tells the line of a fault in an ES module', () => {
  assert.match(sandbox.parse('export const a = 1\nexport const b = ;') ?? '', /\(line 2\)$/)
})

test('runs sloppy code: undeclared globals, `with`, octal numbers', () => {
  const source = `function decodeUplink(input) {
    total = 010; with ({ a: 1 }) { total += a }
    return { data: { total: total } } }`
  assert.deepEqual(dataOf(source), { total: 9 })
})

// shows 11.6.6
test('gives every call a fresh context', () => {
  const source = `var count = 0; var list = []; var half = Math.random()
    function decodeUplink() { count++; list.push(1); leaked = (typeof leaked === 'undefined') ? 1 : 2
      var seen = Object.prototype.seen; Object.prototype.seen = true
      return { data: { count: count, list: list.length, leaked: leaked, seen: seen === true, half: half } } }`
  const first = dataOf(source)
  assert.deepEqual({ ...first, half: 0 }, { count: 1, list: 1, leaked: 1, seen: false, half: 0 })
  dataOf(returning('1'))
  assert.deepEqual(dataOf(source), first)
})

// shows 11.6.6
test('has a Buffer', () => {
  const expression = `{ hex: Buffer.from(input.bytes).toString('hex'),
    back: Array.from(Buffer.from('AQL+', 'base64')), base64: Buffer.from(input.bytes).toString('base64'),
    big: Buffer.from(input.bytes).readUInt16BE(0), little: Buffer.from(input.bytes).readUInt16LE(0),
    signed: Buffer.from(input.bytes).readInt8(2), odd: Buffer.from(input.bytes).readIntBE(0, 3),
    text: Buffer.from('é€😀').toString(), part: Buffer.from(input.bytes).slice(1).length,
    made: Array.from(Buffer.concat([Buffer.alloc(1, 9), Buffer.from('ff', 'hex')])),
    float: Buffer.from('3fc00000', 'hex').readFloatBE(), is: Buffer.isBuffer(Buffer.alloc(1)) }`
  assert.deepEqual(dataOf(returning(expression)), {
    hex: '0102fe',
    back: [1, 2, 254],
    base64: 'AQL+',
    big: 258,
    little: 513,
    signed: -2,
    odd: 66302,
    text: 'é€😀',
    part: 2,
    made: [9, 255],
    float: 1.5,
    is: true,
  })
  assert.match(
    JSON.stringify(call(returning('Buffer.from(input.bytes).readUInt32BE(0)'))),
    /RangeError: Trying to access beyond buffer length/,
  )
})

test('has all that Node has for reading payloads', () => {
  const expression = `{ at: Buffer.from(input.bytes).indexOf(2), has: Buffer.from('abc').includes('bc'),
    swapped: Buffer.from([1, 2, 3, 4]).swap16().toString('hex'), order: Buffer.compare(Buffer.from([1]), Buffer.from([2])),
    wide: Buffer.from('é', 'utf16le').toString('hex'), made: new Buffer('ff', 'hex')[0], called: Buffer('a')[0],
    text: new TextDecoder().decode(new Uint8Array([0xc3, 0xa9, 0xff])), latin: new TextDecoder('latin1').decode(new Uint8Array([0x80, 0xe9])),
    wideText: new TextDecoder('utf-16le').decode(new Uint8Array([0xff, 0xfe, 0xe9, 0])), bytes: [...new TextEncoder().encode('é')],
    ascii: atob('QUI='), base64: btoa('AB') }`
  assert.deepEqual(dataOf(returning(expression)), {
    at: 1,
    has: true,
    swapped: '02010403',
    order: -1,
    wide: 'e900',
    made: 255,
    called: 97,
    text: 'é\ufffd',
    latin: '€é',
    wideText: 'é',
    bytes: [0xc3, 0xa9],
    ascii: 'AB',
    base64: 'QUI=',
  })
  const wrong = ['atob("a")', 'btoa("€")', 'new TextDecoder("x-odd")']
  for (const each of wrong) assert.equal(call(returning(each)).ok, false)
  const fatal = 'new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([0xff]))'
  assert.match(JSON.stringify(call(returning(fatal))), /not valid utf-8/)
})

test('reads and writes text as Node does', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 12 }),
      (bytes, text) => {
        const expression = `{ utf8: new TextDecoder().decode(new Uint8Array([${bytes}])),
        wide: new TextDecoder('utf-16le').decode(new Uint8Array([${bytes}])),
        hex: Buffer.from([${bytes}]).toString('hex'), base64: Buffer.from([${bytes}]).toString('base64'),
        bytes: [...new TextEncoder().encode(${JSON.stringify(text)})] }`
        const { utf8, wide, ...rest } = dataOf(returning(expression))
        // How many marks stand for broken bytes differs among libraries.
        const marked = (read: string) => read.replace(/\ufffd+/g, '\ufffd')
        assert.equal(marked(utf8), marked(new TextDecoder().decode(bytes)))
        assert.equal(marked(wide), marked(new TextDecoder('utf-16le').decode(bytes)))
        assert.deepEqual(rest, {
          hex: Buffer.from(bytes).toString('hex'),
          base64: Buffer.from(bytes).toString('base64'),
          bytes: [...new TextEncoder().encode(text)],
        })
      },
    ),
    { numRuns: 50 },
  )
})

test('draws other random numbers in each call', () => {
  const source = returning('{ a: Math.random(), b: Math.random() }')
  const drawn = Array.from({ length: 200 }, () => dataOf(source)).flatMap(({ a, b }) => [a, b])
  assert.equal(new Set(drawn).size, 400)
  assert.ok(drawn.every((one) => one >= 0 && one < 1))
  const mean = drawn.reduce((sum, one) => sum + one, 0) / drawn.length
  assert.ok(mean > 0.35 && mean < 0.65, `${mean}`)
})

test('names the values that become null', () => {
  const outcome = call(returning('{ a: NaN, b: [1 / 0], c: new Date(NaN), d: null, e: 1 }'))
  assert.ok(outcome.ok)
  const faults = ['data.a is NaN', 'data.b[0] is Infinity', 'data.c is an invalid date']
  const data = { a: null, b: [null], c: null, d: null, e: 1 }
  assert.deepEqual(JSON.parse(outcome.text), { data, nulls: faults })
})

test('gives local times of the time zone of the call', () => {
  const source = returning(`{ hour: input.recvTime.getHours(), text: String(input.recvTime),
    made: new Date(2026, 6, 1).toISOString(), parsed: new Date('2026-07-01T00:00:00').getTime() }`)
  const read = (timeZone?: string) => {
    const outcome = sandbox.call({ source, name: 'decodeUplink', input, timeZone })
    assert.ok(outcome.ok)
    return JSON.parse(outcome.text).data
  }
  const utc = read()
  assert.deepEqual([utc.hour, utc.made], [12, '2026-07-01T00:00:00.000Z'])
  assert.deepEqual(read('Mars/Olympus'), utc)
  const kathmandu = read('Asia/Kathmandu')
  assert.equal(kathmandu.hour, 17)
  assert.match(kathmandu.text, /17:45:00 GMT\+0545/)
  const newYork = read('America/New_York')
  assert.deepEqual([newYork.hour, newYork.made], [7, '2026-07-01T04:00:00.000Z'])
  assert.equal(newYork.parsed, Date.UTC(2026, 6, 1, 4))
})

test('keeps 500 codecs of 15 kB loaded where there is memory for them', async () => {
  const cacheLength = cacheLengthOf(4 * 1024 ** 3, 2)
  const own = await createSandbox({ ...defaultCodecLimits, cacheLength })
  const codecs = Array.from({ length: 500 }, (_, index) => {
    const helpers = Array.from(
      { length: 70 },
      (_, at) => `function helper${at}(bytes, at) {
  var value = (bytes[at] << 8) | bytes[at + 1]
  if (value & 0x8000) { value -= 0x10000 }
  return { raw: value, tenths: Math.round(value / ${at + 1}) / 10, name: 'helper ' + at }
}`,
    )
    return `${helpers.join('\n')}\nvar loaded = Date.now(); ${returning(`{ index: ${index}, loaded: loaded }`)}`
  })
  const read = (source: string) => {
    const outcome = own.call({ source, name: 'decodeUplink', input })
    assert.ok(outcome.ok)
    return JSON.parse(outcome.text).data
  }
  const first = codecs.map(read)
  assert.deepEqual(codecs.map(read), first)
})

test('finds nothing of the machine', () => {
  const names = [
    ...'process require global setTimeout setInterval setImmediate queueMicrotask fetch'.split(' '),
    ...'XMLHttpRequest WebSocket Worker WebAssembly std os scriptArgs print Deno'.split(' '),
  ]
  const list = names.map((name) => `typeof ${name}`).join(', ')
  assert.deepEqual([...new Set(dataOf(returning(`{ types: [${list}] }`)).types)], ['undefined'])
  const attempt = `{ of: this.constructor.constructor('return typeof process')(),
    keys: Object.keys(globalThis).sort() }`
  assert.deepEqual(dataOf(returning(attempt)), {
    of: 'undefined',
    keys: ['console', 'decodeUplink', 'exports', 'module'],
  })
})

test('imports nothing', () => {
  for (const name of ['fs', 'node:fs', './codec.js', 'std', 'os', 'data:text/javascript,1']) {
    const source = `var got = 'nothing'
      function decodeUplink() { import('${name}').then(() => { got = 'something' }); return { data: { got: got } } }`
    assert.deepEqual(dataOf(source), { got: 'nothing' })
    const module = `import * as all from '${name}'; ${returning('1')}`
    assert.equal(call(module).ok, false)
  }
})

test('gives the service only text, however the codec changed its world', () => {
  const source = `JSON.stringify = () => '{"data":{"forged":1}}'; JSON.parse = null; Array.isArray = null
    Object.prototype.toString = null; Date = null; String = null; globalThis.Buffer = null
    ${returning('{ port: input.fPort }')}`
  assert.deepEqual(dataOf(source), { port: 7 })
  const polluted = dataOf(returning('JSON.parse(\'{"__proto__":{"polluted":1}}\')'))
  assert.deepEqual(Object.keys(polluted), ['__proto__'])
  assert.equal(Object.getPrototypeOf({}).polluted, undefined)
})

test('gives an object even when the codec has every object become something else', () => {
  for (const json of ['null', 'undefined', '"text"', '[]']) {
    const source = `Object.prototype.toJSON = () => ${json}; ${returning('{ port: 1 }')}`
    const outcome = call(source)
    assert.ok(outcome.ok, JSON.stringify(outcome))
    assert.match(outcome.text, /^\{.*\}$/)
  }
})

test('loads a codec again that was stopped as it loaded', async () => {
  const limits = { ...defaultCodecLimits, turns: 0 }
  const own = await createSandbox(limits)
  const source = `for (var i = 0; i < 100000; i++) {} ${returning('{ i: i }')}`
  const stopped = own.call({ source, name: 'decodeUplink', input })
  assert.equal(!stopped.ok && stopped.failure, 'limit')
  limits.turns = defaultCodecLimits.turns
  const outcome = own.call({ source, name: 'decodeUplink', input })
  assert.deepEqual(outcome, { ok: true, text: '{"data":{"i":100000}}' })
})

const refused: [string, string, RegExp][] = [
  ['throws', returning('missing.member'), /^ReferenceError: 'missing' is not defined$/],
  ['throws no error', 'function decodeUplink() { throw null }', /^The codec threw null/],
  ['throws as it loads', 'throw new Error("early")', /^The codec does not load: Error: early$/],
  ['does not parse', 'function (', /^The codec does not parse: SyntaxError: .* \(line 1\)$/],
  ['has no decodeUplink', 'var a', /^The codec has no function decodeUplink\.$/],
  ['returns nothing', 'function decodeUplink() {}', /returned undefined, and no object\.$/],
  ['returns a number', 'function decodeUplink() { return 5 }', /returned number, and no object\.$/],
  ['returns a list', 'function decodeUplink() { return [] }', /returned a list, and no object\.$/],
  [
    'returns itself',
    'function decodeUplink() { var a = {}; a.a = a; return { data: a } }',
    /circular/,
  ],
  [
    'returns a BigInt',
    returning('{ a: { b: [1n] } }'),
    /^data\.a\.b\[0\] is a BigInt, convert it with Number\(\)\.$/,
  ],
  [
    'is async',
    'async function decodeUplink() { return { data: {} } }',
    /^decodeUplink returned a promise.*async\.$/,
  ],
  ['returns a promise inside', returning('{ a: Promise.resolve(1) }'), /^data\.a is a promise/],
  ['waits as it loads', `export const a = await 1; ${returning('{ a }')}`, /remove await/],
  [
    'imports more',
    `import { readFileSync } from "fs"\n${returning('{ a: 1 }')}`,
    /^The codec does not parse: The codec imports "fs": only "buffer"/,
  ],
  ['returns too much', returning('{ a: "x".repeat(70000) }'), /^The result has 700\d\d characters/],
  ['returns 100 MB', returning('{ a: "x".repeat(100000000) }'), /out of memory/],
  ['recurses for ever', `function f() { return f() + 1 } ${returning('f()')}`, /stack overflow/],
  [
    'eats memory',
    returning('(() => { for (var a = []; ; ) a.push(new Uint8Array(100000)) })()'),
    /memory|stopped/,
  ],
  [
    'doubles a text',
    returning('(() => { for (var a = "x"; ; ) a += a })()'),
    /too long|memory|stopped/,
  ],
  [
    'holds too much',
    'var a = new Uint8Array(6000000)',
    /^The codec holds \d+ bytes once it is loaded/,
  ],
]
for (const [what, source, message] of refused) {
  test(`tells why a codec gives nothing that ${what}`, () => {
    const outcome = call(source)
    assert.ok(!outcome.ok)
    assert.match(outcome.message, message)
  })
}

const endless: Record<string, string> = {
  'a loop': 'function decodeUplink() { while (true) {} }',
  'a loop that catches':
    'function decodeUplink() { for (;;) try { while (1) {} } catch (e) {} finally {} }',
  'a loop as it loads': 'while (true) {}',
  'a regular expression': returning('{ a: /^(a+)+$/.test("a".repeat(40) + "b") }'),
  'a getter': 'function decodeUplink() { return { get data() { while (1) {} } } }',
  'a toJSON': returning('{ toJSON() { while (1) {} } }'),
  'a proxy': 'function decodeUplink() { return new Proxy({}, { get() { while (1) {} } }) }',
  'the text of an error': 'function decodeUplink() { throw { toString() { while (1) {} } } }',
  'the text of an early error': 'throw { toString() { while (1) {} } }',
}
for (const [what, source] of Object.entries(endless)) {
  test(`ends ${what} that has no end`, () => {
    const outcome = call(source)
    assert.ok(!outcome.ok)
    assert.equal(outcome.failure, 'limit')
    assert.deepEqual(dataOf(returning('{ well: true }')), { well: true })
  })
}

test('native code that came back too late counts as stopped', () => {
  const outcome = call(returning('Array(4000).fill(5e-324)'))
  assert.ok(!outcome.ok)
  assert.equal(outcome.failure, 'limit')
})

test('tells which functions a codec has, whatever it does to the language', () => {
  const source = `Object.prototype.toJSON = JSON.stringify = () => 'x'
    var decodeUplink = () => ({}); exports.decodeDownlink = 5; function Encode() {}`
  const outcome = sandbox.call({ source, name: 'functions', input: '' })
  assert.ok(outcome.ok)
  assert.deepEqual(JSON.parse(outcome.text), {
    decodeUplink: true,
    encodeDownlink: true,
    decodeDownlink: false,
  })
})

test('gives bytes as a list, also where the codec gives an array of bytes', () => {
  for (const bytes of ['[1, 2]', 'Buffer.from([1, 2])', 'new Uint8Array([1, 2])']) {
    const outcome = call(`exports.encodeDownlink = () => ({ bytes: ${bytes} })`, 'encodeDownlink')
    assert.deepEqual(outcome, { ok: true, text: '{"bytes":[1,2]}' })
  }
})

test('parses without running', () => {
  assert.equal(sandbox.parse('while (true) {}'), undefined)
  assert.match(sandbox.parse('var a = ;') ?? '', /^SyntaxError: .* \(line 1\)$/)
})
