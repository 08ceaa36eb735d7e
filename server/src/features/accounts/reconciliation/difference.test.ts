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
  assert.deepEqual(compare(own, { name: ' Cellar\n' }), [], 'as an adoption reads it')
  assert.deepEqual(compare(own, { name: '\n' }), [], 'a name without a sign')
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

test('tells how the network has a device that it tells of, without its keys', () => {
  const other = '00AA000000000000'
  const radio = { version: '1.1', activation: 'otaa', networkKey: 'secret' } as const
  const listed = new Map<string, NetworkThing>([
    [place, { name: 'Cellar', joinEui: '00AA0000000000EE', radio }],
    [placeOf({ kind: 'gateway', eui: other }), { name: 'Roof' }],
    [placeOf({ kind: 'device', eui: other }), { name: 'Attic' }],
  ])
  const all: Kind[] = ['device', 'gateway']
  const found = findDifferences(empty, listed, empty, { compared: all, named: all })
  const common = { difference: 'only_at_network', problem: null, nameHere: null, isTaken: false }
  assert.deepEqual(found, [
    { ...common, kind: 'device', eui: other, nameThere: 'Attic' },
    { ...common, kind: 'gateway', eui: other, nameThere: 'Roof' },
    {
      ...{ ...common, kind: 'device', eui, nameThere: 'Cellar', joinEuiThere: '00AA0000000000EE' },
      radioThere: { version: '1.1', activation: 'otaa' },
    },
  ])
})

test('another version, activation or class comes before all else', () => {
  const there = { name: 'Attic', joinEui: '00AA0000000000EE', isOtherKey: true }
  const version = (of: '1.0' | '1.1') => ({ ...there, radio: { version: of } })
  assert.deepEqual(compare(ownSide(), version('1.1')), ['lorawan_differs'])
  assert.deepEqual(compare(ownSide(), version('1.0')), ['join_eui_differs'])
  const abp = { radio: { activation: 'abp' } } as const
  assert.deepEqual(compare(ownSide(abp), there), ['key_differs'], 'without a join')
  assert.deepEqual(compare(ownSide({ join_eui: null }), there), ['key_differs'])
  assert.deepEqual(compare(ownSide({ join_eui: '0000000000000000' }), there), ['key_differs'])
})
