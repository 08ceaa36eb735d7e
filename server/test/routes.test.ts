import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { renderDocument, surfacePath, surfacePlace } from '../scripts/api-surface.ts'
import { sectionOf } from '../src/reference/openapi-sections.ts'
import { operationNames } from '../src/reference/operation-names.ts'
import { referenceDocument } from '../src/reference/reference-document.ts'
import { routes } from '../src/routes.ts'

interface Line {
  /** The operation as the table writes it, such as `GET /devices/:device_id`. */
  operation: string
  url: string
  section: string
  isLater: boolean
}

const lines = readLines(readFileSync(new URL('../../docs/endpoints.txt', import.meta.url), 'utf8'))
const table = routes.map(([method, url]) => `${method} ${url}`)

/** Reads the operations of `docs/endpoints.txt`, each with the section of its heading. */
function readLines(text: string): Line[] {
  let section = ''
  return text.split('\n').flatMap((line) => {
    const heading = /^# ([\w ]+?)(?: \(.*)?$/.exec(line)
    if (heading) section = heading[1] ?? ''
    if (line === '' || line.startsWith('#')) return []
    const match = /^([A-Z]+) +(\/\S+?)( {2}later)?$/.exec(line)
    assert.ok(match, `docs/endpoints.txt has a line that is none: ${line}`)
    const url = (match[2] ?? '').replace(/\{(\w+)\}/g, ':$1')
    return [{ operation: `${match[1]} ${url}`, url, section, isLater: match[3] !== undefined }]
  })
}

// shows 1.1.1
test('the table and docs/endpoints.txt hold the same endpoints, in the same order', () => {
  assert.ok(table.length > 0)
  assert.deepEqual(
    table,
    lines.filter(({ isLater }) => !isLater).map(({ operation }) => operation),
  )
})

test('every operation has a name in reference/operation-names.ts, and no other has one', () => {
  assert.deepEqual(Object.keys(operationNames).sort(), [...table].sort())
})

test('docs/openapi.json is up to date', () => {
  const text = renderDocument(referenceDocument(routes, surfacePlace))
  assert.ok(text === readFileSync(surfacePath, 'utf8'), 'run "npm run api" and commit the file')
})

test('what is marked as later is not in the table yet', () => {
  const landed = lines.filter(({ operation, isLater }) => isLater && table.includes(operation))
  assert.deepEqual(landed, [], 'take the mark away')
})

test('docs/endpoints.txt names every endpoint once, under its section', () => {
  assert.equal(new Set(lines.map(({ operation }) => operation)).size, lines.length)
  for (const { operation, url, section } of lines) assert.equal(sectionOf(url), section, operation)
})

test('every line of the table says who may call', () => {
  const open = ['public', 'refresh', 'token']
  const member = [
    'signed-in',
    'manage_devices',
    'manage_gateways',
    'manage_groups',
    'manage_account',
  ]
  for (const [method, url, access, endpoint] of routes) {
    const words = endpoint.kind === 'member' ? member : open
    assert.ok(words.includes(access), `${method} ${url} has the access word ${access}`)
  }
})
