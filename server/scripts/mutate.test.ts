import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { apply, findMutations, mutateFiles } from './mutate.ts'
import { areas } from './mutation-areas.ts'

const source = `// 1 < 2
export function fits(size: number, most = 10): boolean {
  if (size < 0) return false
  return size <= most && size !== 5
}
`

test('makes the mistakes that are typical, one at a time, and none in comments', () => {
  const changes = findMutations(source).map(({ was, now }) => `${was.trim()} -> ${now.trim()}`)
  assert.deepEqual(changes.sort(), [
    '!== -> ===',
    '&& -> ||',
    '0 -> 1',
    '10 -> 0',
    '5 -> 0',
    '< -> <=',
    '<= -> <',
    'false -> true',
    'size < 0 -> !(size < 0)',
  ])
  const statement = `  log(a, b)\n  db.query('delete from a where b = $1 and c is null')\n  return ask(\n    late(b),\n  )\n`
  assert.deepEqual(
    findMutations(`function f() {\n${statement}}`).map(({ was, now }) => [was, now]),
    [
      ['log(a, b)', ';'],
      ['b = $1', '(b = $1 or true)'],
      [' is null', ' is not null'],
      ["db.query('delete from a where b = $1 and c is null')", ';'],
    ],
  )
  // Times are neither early nor late, and a row that is joined by its id is of the organization.
  const times =
    'db.query(\n  `delete from a where a.organization_id = b.organization_id and a.b_id = b.id\n  and c_at < $1`,\n)'
  assert.deepEqual(
    findMutations(times).map(({ was }) => was),
    ['a.b_id = b.id', 'c_at < $1'],
  )
  const [first] = findMutations('const a = 1')
  assert.equal(first && apply('const a = 1', first), 'const a = 0')
  const silent =
    'const a = withExamples({\n  b: 1,\n})\nconst c = {\n  examples: [\n    { d: 5 },\n  ],\n  failures: [404],\n}\n/** A */\nconst pauseSeconds = 5\n  log.info(1 < 2)\n    -- a where b = $1\n'
  assert.deepEqual(findMutations(silent), [])
})

test('names what the tests let pass, and leaves the file as it was', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'fits.ts'), source)
  const checks = `import assert from 'node:assert/strict'
import { fits } from './fits.ts'
assert.deepEqual([-1, 4, 5, 6, 11].map((size) => fits(size)), [false, true, false, true, false])
`
  writeFileSync(join(folder, 'fits.test.mjs'), checks)
  const run = { files: ['fits.ts'], tests: ['fits.test.mjs'], seed: '1' }
  const { made, survivors } = await mutateFiles([{ root: folder }], run)
  assert.equal(made, 9)
  assert.deepEqual(survivors.sort(), ['fits.ts:3 0 -> 1', 'fits.ts:3 < -> <=', 'fits.ts:4 <= -> <'])
  assert.equal(readFileSync(join(folder, 'fits.ts'), 'utf8'), source)
  const few = await mutateFiles([{ root: folder }], { ...run, sample: 2 })
  assert.equal(few.made, 2)
  writeFileSync(join(folder, 'fits.test.mjs'), 'throw new Error()')
  await assert.rejects(mutateFiles([{ root: folder }], run), /fail without a mistake/)
})

test('every area has files and tests', () => {
  const cwd = join(import.meta.dirname, '../..')
  for (const [name, { files, tests }] of Object.entries(areas)) {
    for (const glob of [...files, ...tests])
      assert.ok(globSync(glob, { cwd }).length > 0, `${name}: ${glob}`)
  }
})
