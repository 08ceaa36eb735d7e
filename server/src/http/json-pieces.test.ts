import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/properties.ts'
import { jsonText, writeJsonPieces } from './json-pieces.ts'

async function write(value: unknown): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of writeJsonPieces(value)) pieces.push(piece)
  return pieces
}

test('writes what JSON.stringify writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      assert.equal((await write(value)).join(''), JSON.stringify(value))
    }),
    { numRuns: 300 },
  )
})

test('puts what is written already in its place', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.nat(), async (value, cut) => {
      const text = JSON.stringify(value)
      const at = cut % (text.length + 1)
      const halves = async function* () {
        yield text.slice(0, at)
        yield text.slice(at)
      }
      const expected = JSON.stringify([{ gates: value, open: true }, value])
      const mixed = [{ gates: jsonText(halves()), open: true }, jsonText(halves())]
      assert.equal((await write(mixed)).join(''), expected)
    }),
  )
})

test('lets the event loop turn between the pieces of a long text', async () => {
  const value = { data: Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Gate ${id}` })) }
  let turns = 0
  const count = () => {
    turns += 1
    counter = setImmediate(count)
  }
  let counter = setImmediate(count)
  const pieces = await write(value)
  clearImmediate(counter)
  assert.equal(pieces.join(''), JSON.stringify(value))
  assert.ok(pieces.length > 5, `${pieces.length} pieces`)
  assert.ok(turns >= pieces.length - 2, `${turns} turns`)
  assert.ok(pieces.every((piece) => piece.length < 70_000))
})

test('writes what is nested deeper than the program can call itself', async () => {
  let tree: unknown = { children: [] }
  for (let level = 0; level < 50_000; level++) tree = { children: [tree] }
  const text = (await write(tree)).join('')
  assert.equal(text.length, 50_001 * '{"children":[]}'.length)
})
