import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { space } from '../src/ui/tokens.ts'

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

/** Colours and sizes stand in one file, `ui/tokens.ts`; CSS names them. */
const looks = [...textOf].filter(([file]) => {
  const name = relative(root, file)
  return name.startsWith('src/') && name !== 'src/ui/tokens.ts'
})

test('colours and sizes of text are tokens', () => {
  const raw =
    /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?!-)|\b(?:rgba?|hsla?|oklch)\(|font-size: [\d.]|fontSize: '[\d.]|border-radius: [\d.]/gi
  const wrong = looks.flatMap(([file, text]) =>
    (text.match(raw) ?? []).map((found) => `${relative(root, file)}: ${found}`),
  )
  assert.deepEqual(wrong, [])
})

test('margins, paddings and gaps are steps of the scale', () => {
  const spaced = /^\s*(?:gap|row-gap|column-gap|padding|margin)(?:-[a-z]+)*:(.*)$/gm
  const wrong = looks.flatMap(([file, text]) =>
    [...(file.endsWith('.css') ? text.matchAll(spaced) : [])].flatMap(([line, value = '']) => {
      const lengths = [...value.matchAll(/([\d.]+)(rem|px|em)\b/g)]
      // What is larger than the scale makes room for something.
      const isStep = lengths.every(
        ([, size, unit]) => unit === 'rem' && (Number(size) > 4 || space.includes(Number(size))),
      )
      return isStep ? [] : [`${relative(root, file)}: ${line.trim()}`]
    }),
  )
  assert.deepEqual(wrong, [])
})

/** The files of styles that a file of Mantine needs, and those that it imports. */
function stylesBelow(file: string, seen: Set<string>): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from|import) "(\.[^"]+\.mjs)"/g)].flatMap(([, path = '']) => {
    const styled = /(\w+)\.module\.mjs$/.exec(path)?.[1]
    return [...(styled ? [styled] : []), ...stylesBelow(join(dirname(file), path), seen)]
  })
}

test('the styles of all components in use are loaded', () => {
  const core = join(root, '../node_modules/@mantine/core/esm')
  const used = new Set(
    [...textOf.values()].flatMap((text) =>
      [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, names = '']) =>
        names.split(',').map((name) => name.trim()),
      ),
    ),
  )
  const seen = new Set<string>()
  const index = readFileSync(join(core, 'index.mjs'), 'utf8')
  const needed = [...index.matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)]
    .filter(([, names = '']) => names.split(',').some((name) => used.has(name.trim())))
    .flatMap(([, , path = '']) => stylesBelow(join(core, path), seen))
  assert.ok(needed.includes('Button'))
  const loaded = readFileSync(join(root, 'src/ui/mantine.css'), 'utf8')
  const missing = needed.filter((name) => !loaded.includes(`styles/${name}.css`))
  assert.deepEqual(missing, [])
})
