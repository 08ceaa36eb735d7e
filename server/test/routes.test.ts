import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { renderDocument, surfacePath, surfacePlace } from '../scripts/api-surface.ts'
import { referenceDocument } from '../src/reference/reference-document.ts'
import { routes } from '../src/routes.ts'
import { endpointList } from './endpoint-list.ts'
import { meaningOf } from './id-meanings.ts'
import { placesOf } from './id-places.ts'

const lines = endpointList
const table = routes.map(({ operation }) => operation)

// shows 1.1.1
test('the table and docs/endpoints.txt hold the same endpoints, in the same order', () => {
  assert.ok(table.length > 0)
  assert.deepEqual(
    table,
    lines.filter(({ isLater }) => !isLater).map(({ operation }) => operation),
  )
})

test('no two operations have one name', () => {
  assert.equal(new Set(routes.map(({ operationId }) => operationId)).size, routes.length)
})

test('docs/generated/openapi.json is up to date', () => {
  const text = renderDocument(referenceDocument(routes, surfacePlace))
  assert.ok(text === readFileSync(surfacePath, 'utf8'), 'run "npm run api" and commit the file')
})

test('what is marked as later is not in the table yet', () => {
  const landed = lines.filter(({ operation, isLater }) => isLater && table.includes(operation))
  assert.deepEqual(landed, [], 'take the mark away')
})

test('docs/endpoints.txt names every endpoint once, under its section', () => {
  assert.equal(new Set(lines.map(({ operation }) => operation)).size, lines.length)
  for (const { operation, section } of routes) {
    assert.equal(lines.find((line) => line.operation === operation)?.section, section, operation)
  }
})

// By itself the table would only agree with itself: docs/endpoints.txt is written by hand.
test('the table and docs/endpoints.txt say the same of who may call', () => {
  for (const { operation, access, endpoint } of routes) {
    const listed = lines.find((line) => line.operation === operation)
    assert.equal(access, listed?.access, operation)
    assert.equal(endpoint.kind === 'member', listed?.takes !== undefined, operation)
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
  for (const { operation, endpoint } of routes) {
    if ((endpoint.change ?? 'untold') === 'untold') continue
    assert.match(endpoint.handle.toString(), /\brecord\b/, operation)
  }
})
