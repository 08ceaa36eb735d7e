import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findDifferences,
  type Kind,
  type NetworkThing,
  type OwnSide,
  type OwnThing,
  placeOf,
} from './difference.ts'

const eui = '00AA000000000001'
const place = placeOf({ kind: 'device', eui })

function ownSide(changes: Partial<OwnThing> = {}, busy: string[] = []): OwnSide {
  const device: OwnThing = {
    ...{ kind: 'device', id: 1, eui, name: 'Cellar', is_console_only: false },
    ...{ join_eui: '00AA0000000000FF', has_key: true, radio: null },
    ...changes,
  }
  return { things: new Map([[place, device]]), busy: new Set(busy) }
}

const empty: OwnSide = { things: new Map(), busy: new Set() }
const kinds: Kind[] = ['device']

/** The differences that a comparison finds, as words. */
function compare(
  before: OwnSide,
  there: NetworkThing | undefined,
  after: OwnSide = before,
  { compared, named } = { compared: kinds, named: kinds },
): string[] {
  const listed = new Map(there ? [[place, there]] : [])
  return findDifferences(before, listed, after, { compared, named }).map(
    ({ difference }) => difference,
  )
}

test('tells what differs while nothing changes', () => {
  const own = ownSide()
  assert.deepEqual(compare(own, { name: 'Cellar' }), [])
  assert.deepEqual(compare(own, { name: '' }), [], 'a network without names')
  assert.deepEqual(compare(own, { name: 'Attic' }), ['name_differs'])
  assert.deepEqual(compare(own, { name: 'Attic' }, own, { compared: kinds, named: [] }), [])
  assert.deepEqual(compare(own, undefined), ['only_here'])
  assert.deepEqual(compare(own, undefined, own, { compared: [], named: kinds }), [])
  assert.deepEqual(compare(ownSide({ is_console_only: true }), undefined), [])
  assert.deepEqual(compare(empty, { name: 'Cellar' }), ['only_at_network'])
})

test('what changes during the listing is no difference', () => {
  const own = ownSide()
  assert.deepEqual(compare(own, { name: 'Cellar' }, ownSide({ name: 'Attic' })), [])
  assert.deepEqual(compare(own, undefined, ownSide({ id: 2 })), [], 'deleted and added again')
  assert.deepEqual(compare(empty, undefined, own), [], 'added')
  assert.deepEqual(compare(empty, { name: 'Cellar' }, own), [], 'added here and there')
  assert.deepEqual(compare(own, { name: 'Cellar' }, empty), [], 'deleted')
})

test('what has a call in the outbox before or after the listing is no difference', () => {
  const own = ownSide()
  const busy = ownSide({}, [place])
  for (const there of [undefined, { name: 'Attic' }]) {
    assert.deepEqual(compare(busy, there, own), [], 'its call ended meanwhile')
    assert.deepEqual(compare(own, there, busy), [], 'its call began meanwhile')
  }
  const leaving: OwnSide = { things: new Map(), busy: new Set([place]) }
  assert.deepEqual(compare(leaving, { name: 'Cellar' }, empty), [])
  assert.deepEqual(compare(empty, { name: 'Cellar' }, leaving), [])
})

test('of several differences, it tells the one to repair first', () => {
  const there = { name: 'Attic', problem: 'A registry lacks it.', isOtherKey: true }
  const joinEui = '00AA0000000000EE'
  const own = ownSide()
  assert.deepEqual(compare(own, { ...there, joinEui }), ['join_eui_differs'])
  assert.deepEqual(compare(own, there), ['key_differs'])
  assert.deepEqual(compare(own, { ...there, isOtherKey: false }), ['incomplete'])
  assert.deepEqual(compare(own, { name: 'Attic' }), ['name_differs'])
  const [found] = findDifferences(own, new Map([[place, { ...there, joinEui }]]), own, {
    ...{ compared: kinds, named: kinds },
  })
  assert.match(found?.problem ?? '', /00AA0000000000FF here and 00AA0000000000EE at the network/)
  assert.equal(found?.joinEuiThere, joinEui)
})
