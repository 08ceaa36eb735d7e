import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { readTestList } from '../citus/test-list.ts'
import { databaseFinder, type Import, readImports } from './import-graph.ts'

/** Checks rules 3 and 4 of CONTRIBUTING.md, on imports and sizes, and the list of tests for Citus. */

const server = join(import.meta.dirname, '..')
const root = join(server, 'src')

/** The other folders of `src` that each folder may import. */
const allowed: Record<string, readonly string[]> = {
  lora: [],
  texts: ['lora'],
  traces: [],
  db: ['lora'],
  http: ['lora', 'db', 'traces'],
  sensors: ['lora'],
  networks: ['lora'],
  uplinks: ['lora', 'db', 'http', 'sensors', 'networks', 'traces', 'features'],
  features: ['lora', 'db', 'http', 'sensors', 'networks', 'traces', 'texts', 'uplinks'],
  process: ['db'],
  commands: ['lora', 'db', 'http', 'sensors', 'networks', 'features', 'uplinks'],
  pages: ['http', 'networks'],
  reference: ['http'],
  'security-log': ['http', 'features'],
  routes: ['http', 'features', 'uplinks', '.'],
}
/**
 * The folders of `features/` and `uplinks/`, one for each subject, lowest first. Each can import those
 * before it and `core-services.ts`. The rule is the same for imports of types.
 */
const subjects = [
  'uplinks/rows',
  'uplinks/rollups',
  'features/outgoing/events',
  'features/operation/idempotency',
  'features/operation/sealing',
  'features/people/users',
  'features/people/organizations',
  'features/people/sessions',
  'features/people/two-factor',
  'features/people/auth',
  'features/fleet/inventory',
  'features/fleet/pictures',
  'features/fleet/notes',
  'features/people/billing',
  'features/fleet/device-types',
  'features/fleet/catalogue',
  'features/insight/frames',
  'features/accounts/connections',
  'features/fleet/batches',
  'features/fleet/groups',
  'features/accounts/provisioning',
  'features/fleet/gateways',
  'features/downlinks',
  'uplinks/store',
  'uplinks/read',
  'features/insight/device-health',
  'features/insight/coverage',
  'uplinks/receive',
  'uplinks/brokers',
  'features/accounts/network-accounts',
  'uplinks/quarantine',
  'features/fleet/devices',
  'features/people/child-organizations',
  'features/fleet/moves',
  'features/accounts/reconciliation',
  'features/fleet/device-page',
  'features/fleet/jobs',
  'features/outgoing/live',
  'features/outgoing/webhooks',
  'features/people/api-keys',
  'features/outgoing/channels',
  'features/outgoing/alerts',
  'features/insight/overview',
  'features/insight/plans',
  'features/insight/dashboards',
  'features/outgoing/reports',
  'features/insight/links',
  'features/fleet/lookups',
  'features/outgoing/archive',
  'features/operation/map',
  'features/operation/metrics',
  'features/people/activity',
  'features/people/sign-on',
]
/** The key for the files at the top of `src`. They can import everything. */
const top = '.'

/** The most lines of a TypeScript file. Tests, and files with examples (by name), have no limit. */
const mostLines = 400
const holdsExamples = /-examples\.ts$/

/** Tests can import everything. */
const isTest = /\.test\.ts$/

/** The allowed imports of the folders next to `src`. Tests can import from all of them. */
const rooms: Record<string, readonly string[]> = {
  simulators: ['src'],
  demo: ['src', 'simulators'],
  scripts: ['src', 'test'],
  // What is shared with the package in clients/.
  mcp: ['..'],
}

function list(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !isTest.test(path),
  )
}

const files = list(root)
const imports = new Map(files.map((file) => [file, readImports(root, file)]))

function floorOf(path: string): string {
  return path.includes('/') ? (path.split('/', 1)[0] ?? top) : top
}

/** Returns the folder of `subjects` that holds a file. Undefined for files of other folders. */
function subjectOf(path: string): string | undefined {
  return subjects.find((subject) => path.startsWith(`${subject}/`))
}

function faults(check: (file: string, target: string) => boolean): string[] {
  return [...imports].flatMap(([file, targets]) =>
    targets
      .filter(({ target }) => !check(file, target))
      .map(({ target }) => `${file} -> ${target}`),
  )
}

test('reads files and imports', () => {
  assert.ok(files.length > 0)
  assert.ok([...imports.values()].flat().length > files.length)
  const missing = faults((_file, target) => imports.has(target))
  assert.deepEqual(missing, [], 'imports lead to files')
})

test('product code imports only product code, and each room what it may', () => {
  const wrong = Object.entries({ src: [], ...rooms }).flatMap(([room, others]) =>
    list(join(server, room)).flatMap((file) => {
      const text = readFileSync(join(server, room, file), 'utf8')
      return [...text.matchAll(/'(\.{1,2}\/[^'\n]+\.ts)'/g)]
        .map(([, path = '']) => relative(server, join(server, room, dirname(file), path)))
        .filter((target) => ![room, ...others].includes(target.split(/[\\/]/, 1)[0] ?? ''))
        .map((target) => `${room}/${file} -> ${target}`)
    }),
  )
  assert.deepEqual(wrong, [])
})

test('knows every folder', () => {
  const unknown = files.map(floorOf).filter((floor) => floor !== top && !(floor in allowed))
  assert.deepEqual([...new Set(unknown)], [])
})

test('imports go down only', () => {
  const isDown = (file: string, target: string) => {
    const [from, to] = [floorOf(file), floorOf(target)]
    return from === top || from === to || (allowed[from]?.includes(to) ?? false)
  }
  assert.deepEqual(faults(isDown), [])
})

test('a feature uses no endpoint of another', () => {
  const endpoints = new Set(
    files
      .filter((file) => floorOf(file) === 'routes')
      .flatMap((file) => imports.get(file) ?? [])
      .filter(({ target, isTypeOnly }) => subjectOf(target) && !isTypeOnly)
      .map(({ target }) => target),
  )
  assert.ok(endpoints.size > 0)
  const isOwnOrShared = (file: string, target: string) =>
    !subjectOf(file) || dirname(file) === dirname(target) || !endpoints.has(target)
  assert.deepEqual(faults(isOwnOrShared), [])
})

test('knows the subject of every file of features/ and uplinks/', () => {
  const unknown = files.filter((file) => {
    const isShared = file === 'features/core-services.ts'
    return /^(features|uplinks)\//.test(file) && !isShared && !subjectOf(file)
  })
  assert.deepEqual(unknown, [])
  const used = new Set(files.map(subjectOf))
  assert.deepEqual(
    subjects.filter((subject) => !used.has(subject)),
    [],
  )
})

test('a subject imports only the subjects before it', () => {
  const isLower = (file: string, target: string) => {
    const [from, to] = [subjectOf(file), subjectOf(target)]
    return !from || !to || subjects.indexOf(to) <= subjects.indexOf(from)
  }
  assert.deepEqual(faults(isLower), [])
})

test('no two files import each other, directly or in a round, for types either', () => {
  assert.deepEqual(findRounds(imports), [])
  for (const room of Object.keys(rooms)) {
    const directory = join(server, room)
    const inside = list(directory).map((file) => [file, readImports(directory, file)] as const)
    assert.deepEqual(findRounds(new Map(inside)), [], room)
  }
})

test('SQL of subjects stands only in *-queries.ts, but for the readers of uplinks', () => {
  const begin =
    /[`'"]\s*(?:select\s|insert into\s|delete from\s|update\s+\w+\s+(?:as\s+\w+\s+)?set\s|with\s+(?:recursive\s+)?\w+(?:\s*\([^)]*\))?\s+as\s)/
  const withSql = files
    .filter((file) => subjectOf(file) && subjectOf(file) !== 'uplinks/rows')
    .filter((file) => begin.test(readFileSync(join(root, file), 'utf8')))
  assert.ok(withSql.some((file) => file.endsWith('-queries.ts')))
  const wrong = withSql.filter((file) => !file.endsWith('-queries.ts'))
  assert.deepEqual(wrong, [])
})

test('only db/, the command and the start ask whether Citus distributes the tables', () => {
  const asking = files.filter((file) =>
    /\bisDistributed\b|pg_extension/.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.ok(asking.length > 0)
  const mayAsk = (file: string) =>
    ['db', top].includes(floorOf(file)) || file === 'commands/distribute.ts'
  assert.deepEqual(
    asking.filter((file) => !mayAsk(file)),
    [],
  )
})

test('only uplinks/ names the table of uplinks in SQL', () => {
  const names = /\b(?:from|join|into|update|table|truncate)\s+uplinks\b/
  const naming = files.filter((file) =>
    names.test(withoutComments(readFileSync(join(root, file), 'utf8'))),
  )
  assert.ok(naming.length > 0)
  const isTheirs = (file: string) => /^uplinks\//.test(file.replaceAll('\\', '/'))
  assert.deepEqual(
    naming.filter((file) => !isTheirs(file)),
    [],
  )
})

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

test(`no file has more than ${mostLines} lines`, () => {
  const long = files
    .filter((file) => !holdsExamples.test(basename(file)))
    .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > mostLines)
  assert.deepEqual(long, [])
})

test('every test with a database is placed for Citus (server/citus/tests.txt)', () => {
  const databaseOf = databaseFinder(join(server, '..'))
  const needing = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((path) => isTest.test(path))
    .map((path) => join('server', path))
    .filter((path) => databaseOf(path))
    .map((path) => path.replaceAll('\\', '/'))
  const { forCi, others, leftOut } = readTestList()
  assert.ok(needing.length > 0)
  assert.deepEqual([...forCi, ...others, ...leftOut].sort(), needing.sort())
})

test('what everybody reads first stays short', () => {
  const most = { 'README.md': 9000, 'ARCHITECTURE.md': 10_000, 'CONTRIBUTING.md': 6000 }
  for (const [name, bytes] of Object.entries(most)) {
    const { length } = readFileSync(join(server, '..', name))
    assert.ok(length <= bytes, `${name} has ${length} bytes, of ${bytes}`)
  }
})

/** Finds cycles of imports. */
function findRounds(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const rounds: string[] = []
  const finished = new Set<string>()
  const visit = (file: string, way: readonly string[]) => {
    if (way.includes(file)) {
      rounds.push([...way.slice(way.indexOf(file)), file].join(' -> '))
      return
    }
    if (finished.has(file)) return
    for (const { target } of imports.get(file) ?? []) visit(target, [...way, file])
    finished.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return rounds
}
