import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMessage, renderObject } from '../render.ts'
import {
  isShallow,
  parseObject,
  parseOutput,
  readDownlink,
  readingOf,
  readResult,
  unreadable,
} from './codec-results.ts'

const read = (result: unknown) => readResult({ ok: true, text: JSON.stringify(result) })

function readingFrom(result: unknown) {
  const found = read(result)
  assert.ok('data' in found)
  return readingOf(found)
}

test('members of data become members of decoded_object, and lines of the message', () => {
  const data = { temperature: 21.5, door: { isOpen: true }, levels: [1, 2], unit: '<b>' }
  const reading = readingFrom({ data, warnings: ['battery low'], errors: [] })
  assert.equal(reading.event, 'DECODED')
  assert.deepEqual(renderObject(reading), {
    eventDescription: 'temperature: 21.5, door.isOpen: true, levels: [1,2], unit: <b>',
    ...data,
  })
  assert.equal(
    renderMessage(reading),
    'temperature: 21.5<br>door.isOpen: true<br>levels: [1,2]<br>unit: &lt;b&gt;<br>Warning: battery low',
  )
})

test('a description of its own comes first', () => {
  const reading = readingFrom({ data: { eventDescription: 'Door opened', door: 1 } })
  assert.deepEqual(renderObject(reading), { eventDescription: 'Door opened', door: 1 })
  assert.deepEqual(reading.lines, ['door: 1'])
})

test('without members there is still a description', () => {
  assert.deepEqual(renderObject(readingFrom({ data: {} })), { eventDescription: 'No data.' })
})

const refused: [unknown, string][] = [
  [{ errors: ['unknown FPort', 'and more'], data: {} }, 'unknown FPort and more'],
  [{ errors: 'one text' }, 'one text'],
  [{ errors: [{ code: 5 }] }, '{"code":5}'],
  [{}, 'The codec returned no object as data.'],
  [{ data: null }, 'The codec returned no object as data.'],
  [{ data: [1] }, 'The codec returned no object as data.'],
  [{ data: 5 }, 'The codec returned no object as data.'],
  [
    { data: { deep: JSON.parse('['.repeat(40) + ']'.repeat(40)) } },
    'The data has more than 32 levels.',
  ],
]
for (const [result, error] of refused) {
  test(`has no reading for ${JSON.stringify(result).slice(0, 50)}`, () => {
    assert.deepEqual(read(result), { error })
  })
}

test('keeps what the database can hold', () => {
  const data = { 'a\u0000b': 'c\u0000', half: '\ud800' }
  const reading = readingFrom({ data })
  assert.deepEqual(reading.values, { 'a\uFFFDb': 'c\uFFFD', half: '\uFFFD' })
  assert.equal(unreadable('a\u0000').description, 'a\uFFFD')
})

test('an own member __proto__ changes no object', () => {
  const reading = readResult({ ok: true, text: '{"data":{"__proto__":{"polluted":1},"a":1}}' })
  assert.ok('data' in reading)
  assert.equal(Object.getPrototypeOf(reading.data), Object.prototype)
  assert.equal(Object.getPrototypeOf(renderObject(readingOf(reading))), Object.prototype)
  assert.deepEqual(Object.keys(reading.data), ['__proto__', 'a'])
})

test('long descriptions and messages are cut', () => {
  const data = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`key${index}`, 'x'.repeat(100)]),
  )
  const reading = readingFrom({ data })
  assert.equal(reading.description.length, 200)
  assert.equal(reading.lines.length, 200)
})

test('texts are cut at 200 characters, and warnings at 50', () => {
  const descriptionOf = (length: number) =>
    readingFrom({ data: { eventDescription: 'x'.repeat(length) } }).description
  assert.equal(descriptionOf(200), 'x'.repeat(200))
  assert.equal(descriptionOf(201), `${'x'.repeat(197)}...`)
  const warnings = Array.from({ length: 60 }, (_, index) => `w${index}`)
  const { lines } = readingFrom({ data: { a: 1 }, warnings })
  assert.deepEqual([lines.length, lines[1], lines.at(-1)], [51, 'Warning: w0', 'Warning: w49'])
  assert.deepEqual(readingFrom({ data: { a: 1 }, warnings: '' }).lines, ['a: 1'])
  assert.deepEqual(readingFrom({ data: {}, warnings: null }).lines, ['No data.'])
  const empty = readingFrom({ data: { eventDescription: '', a: 1 } })
  assert.equal(empty.description, 'a: 1')
})

test('nulls of the sandbox are warnings', () => {
  const reading = readingFrom({ data: { a: null }, nulls: ['a is NaN'] })
  assert.deepEqual(reading.lines, ['a: null', 'Warning: a is NaN and is kept as null.'])
})

test('data has 32 levels and 65,536 zeros of exponents at most', () => {
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
  assert.equal(isShallow(nested(32)), true)
  assert.equal(isShallow(nested(33)), false)
  const zeros = (count: number) =>
    readResult({ ok: true, text: `{"data":{"a":[${Array(count).fill('1e+256').join()}]}}` })
  assert.ok('data' in zeros(256))
  assert.deepEqual(zeros(257), { error: 'The data has too many huge or tiny numbers.' })
})

test('an outcome that is no object is an error', () => {
  assert.deepEqual(readResult({ ok: true, text: '[]' }), { error: 'The codec gave no object.' })
  assert.deepEqual(readDownlink({ ok: true, text: '5' }), { error: 'The codec gave no object.' })
  const stopped = { ok: false, message: 'Stopped.' } as Parameters<typeof readResult>[0]
  assert.deepEqual(readResult(stopped), { error: 'Stopped.' })
  assert.deepEqual(readDownlink(stopped), { error: 'Stopped.' })
  assert.equal(parseObject('null'), undefined)
  assert.deepEqual(parseOutput('{}'), {})
  assert.equal(parseOutput('[1]'), undefined)
  assert.equal(parseOutput('{"nulls":[]}'), undefined)
  assert.deepEqual(parseOutput('{"a":1,"nulls":[]}'), { a: 1 })
})

test('a downlink is 1 to 242 bytes, at a port for applications or at none', () => {
  const downlink = (result: object) => readDownlink({ ok: true, text: JSON.stringify(result) })
  const bytes = [0, 255]
  assert.deepEqual(downlink({ bytes }), {
    ...{ bytes: Uint8Array.from(bytes), fPort: undefined, warnings: [] },
  })
  for (const fPort of [1, 223]) {
    const { fPort: port } = { fPort: undefined, ...downlink({ bytes, fPort }) }
    assert.equal(port, fPort)
  }
  for (const fPort of [0, 224, 1.5, '1', true]) {
    const error = 'The codec gave a port that is none from 1 to 223.'
    assert.deepEqual(downlink({ bytes, fPort }), { error }, `${fPort}`)
  }
  assert.ok('bytes' in downlink({ bytes, fPort: null }))
  assert.ok('bytes' in downlink({ bytes: Array(242).fill(1) }))
  for (const wrong of [[], Array(243).fill(1), [256], [-1], [1.5], ['1'], 'AA', undefined]) {
    const error = 'The codec gave no list of 1 to 242 bytes from 0 to 255.'
    assert.deepEqual(downlink({ bytes: wrong }), { error }, JSON.stringify(wrong))
  }
  const many = Array.from({ length: 30 }, (_, index) => `w${index}`)
  const told = downlink({ bytes, warnings: many })
  assert.deepEqual('warnings' in told && told.warnings, many.slice(0, 20))
  assert.deepEqual(downlink({ errors: many }), { error: many.slice(0, 20).join(' ') })
  assert.deepEqual(downlink({ bytes, errors: ['one'] }), { error: 'one' })
})
