import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

/** Checks what console/README.md says of the files. */

const root = join(import.meta.dirname, '..')
const files = ['src', 'test', 'scripts'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|css)$/.test(name) && !name.endsWith('generated.ts'))
    .map((name) => join(root, folder, name)),
)

const textOf = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

/** `pages/devices` of `.../src/pages/devices/list.tsx`; undefined outside the pages. */
function areaOf(file: string): string | undefined {
  return /^src\/(pages\/[^/]+)\//.exec(relative(root, file))?.[1]
}

function importsOf(file: string): string[] {
  const text = textOf.get(file) ?? ''
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  )
}

test('reads the console', () => {
  assert.ok(files.length > 200)
})

test('no file has more than 400 lines', () => {
  const long = [...textOf].filter(([, text]) => text.trimEnd().split('\n').length > 400)
  assert.deepEqual(
    long.map(([file]) => relative(root, file)),
    [],
  )
})

test('a page imports no page of another area, and what pages share imports none', () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((path) => areaOf(path) !== undefined && areaOf(path) !== areaOf(file))
      .map((path) => `${relative(root, file)} -> ${relative(root, path)}`),
  )
  // The router names the routes of all areas.
  const allowed = /^src\/router\/router\.ts -> src\/pages\/[^/]+\/routes\.tsx$/
  assert.deepEqual(
    wrong.filter((line) => line.startsWith('src/') && !allowed.test(line)),
    [],
  )
})

test('of the server, pages import only lora/', () => {
  const wrong = files
    .filter((file) => relative(root, file).startsWith('src/'))
    .flatMap((file) => importsOf(file).map((path) => relative(root, path)))
    .filter((path) => path.startsWith('..') && !path.startsWith('../server/src/lora/'))
  assert.deepEqual(wrong, [])
})

test('nothing sets HTML or runs text as code', () => {
  const wrong = [...textOf].flatMap(([file, text]) => {
    if (!relative(root, file).startsWith('src/')) return []
    const found = /dangerouslySetInnerHTML|innerHTML|setHTML\(|\beval\(|new Function\(/.exec(text)
    return found ? [`${relative(root, file)}: ${found[0]}`] : []
  })
  assert.deepEqual(wrong, [])
})
