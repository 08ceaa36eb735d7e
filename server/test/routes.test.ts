import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { renderDocument, surfacePath, surfacePlace } from '../scripts/api-surface.ts'
import { changingRoutes } from '../src/features/activity/changing-routes.ts'
import { sectionOf } from '../src/reference/openapi-sections.ts'
import { operationNames } from '../src/reference/operation-names.ts'
import { referenceDocument } from '../src/reference/reference-document.ts'
import { routes } from '../src/routes.ts'
import { endpointList } from './endpoint-list.ts'
import { meaningOf } from './id-meanings.ts'
import { placesOf } from './id-places.ts'

const lines = endpointList
const table = routes.map(([method, url]) => `${method} ${url}`)

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

// The table alone would agree with itself: docs/endpoints.txt is written by hand.
test('the table and docs/endpoints.txt say the same of who may call', () => {
  for (const [method, url, access, { kind }] of routes) {
    const listed = lines.find(({ operation }) => operation === `${method} ${url}`)
    assert.equal(access, listed?.access, `${method} ${url}`)
    assert.equal(kind === 'member', listed?.takes !== undefined, `${method} ${url}`)
  }
})

test('every place of a request that may take an id says what it means', () => {
  let places = 0
  for (const { operation, method, url, access } of endpointList) {
    for (const place of access === 'public' ? [] : placesOf(method, url)) {
      meaningOf(operation, place)
      places += 1
    }
  }
  assert.ok(places > 400)
})

test('the handler of every change records it', () => {
  for (const [method, url, , { handle }] of routes) {
    if (changingRoutes[`${method} ${url}`] === undefined) continue
    assert.match(handle.toString(), /\brecord\b/, `${method} ${url}`)
  }
})
