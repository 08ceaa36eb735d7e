import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMessage, renderObject } from '../render.ts'
import { readingOf, readResult, unreadable } from './codec-results.ts'

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
