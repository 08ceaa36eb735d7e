import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/properties.ts'
import { type Cell, csvLine } from './csv.ts'

/** Reads one line as RFC 4180 says. */
function readLine(line: string): string[] {
  assert.ok(line.endsWith('\r\n'))
  const cells = [...`,${line.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)]
  assert.equal(cells.map(([whole]) => whole).join(''), `,${line.slice(0, -2)}`)
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}

const guarded = [
  '-1+cmd/x',
  '+1;x',
  '@a',
  '＝1',
  '＋1',
  '－1',
  '＠a',
  '\t=1',
  '\r=1',
  '=1',
  '-',
  '-1.',
  '+.5',
]
const plain = ['-5', '+5.5', '-0', '+0', '1=1', ' =1', 'a-1', '']

test('guards what a spreadsheet would run, and no number', () => {
  for (const text of guarded) assert.deepEqual(readLine(csvLine([text])), [`'${text}`], text)
  for (const text of plain) assert.deepEqual(readLine(csvLine([text])), [text], text)
  assert.equal(csvLine([-5, 5.5, null, true, '']), '-5,5.5,,true,\r\n')
})

test('quotes commas, quotes and every kind of line break, and nothing else', () => {
  const cells = ['a,b', 'a"b', 'a\rb', 'a\nb', 'a\r\nb', 'a;b', "a'b"]
  assert.equal(csvLine(cells), '"a,b","a""b","a\rb","a\nb","a\r\nb",a;b,a\'b\r\n')
})

test('any cells are read as they were, and none of them is a formula', () => {
  const text = fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠\t\r\n",;\'.15ax ') })
  const cell = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))
  fc.assert(
    fc.property(fc.array<Cell>(cell, { minLength: 1 }), (cells) => {
      const read = readLine(csvLine(cells))
      assert.equal(read.length, cells.length)
      read.forEach((found, at) => {
        const sent = String(cells[at] ?? '')
        assert.ok(found === sent || found === `'${sent}`, found)
        assert.match(found, /^(?![=+\-@＝＋－＠\t\r])|^[+-]?\d+(\.\d+)?$/)
      })
    }),
  )
})
