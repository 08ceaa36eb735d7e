import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionsOf, type Verdict } from '../src/condition/conditions.ts'
import { faultOf, longestName, renamed } from '../src/pages/devices/bulk/name-pattern.ts'
import {
  deviceSearch,
  filtersOf,
  isFiltered,
  noFilters,
} from '../src/pages/devices/device-search.ts'
import { type ArrivalFacts, stepsOf } from '../src/pages/registration/arrival/arrival-steps.ts'
import { searchOf } from '../src/router/search.ts'

/** What the console says of a device, without a browser. */

const now = Date.parse('2026-03-01T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString()

function wordsOf(state: Verdict['state'], ...codes: string[]): string[] {
  const reasons = codes.map((code) => ({ code, message: 'So it is.', action: 'Do it.' }))
  return conditionsOf({ state, since: null, reasons }).map(({ word }) => word)
}

test('each verdict has its words, and the most serious comes first', () => {
  assert.deepEqual(wordsOf('ok'), ['OK'])
  assert.deepEqual(wordsOf('ok', 'register_pending'), ['Pending'])
  assert.deepEqual(wordsOf('new', 'register_pending', 'never_heard'), ['New', 'Pending'])
  assert.deepEqual(wordsOf('inactive', 'inactive'), ['Inactive'])
  assert.deepEqual(wordsOf('silent', 'silent', 'low_battery'), ['Silent', 'Low battery'])
  assert.deepEqual(
    wordsOf('attention', 'register_error', 'tamper', 'low_battery', 'config_error'),
    ['Not registered', 'Tampered', 'Low battery', 'Config error'],
  )
  const alert = { code: 'alert', title: 'Too warm', message: 'So it is.', action: 'Do it.' }
  const [{ word } = {}] = conditionsOf({ state: 'attention', since: null, reasons: [alert] })
  assert.equal(word, 'Too warm')
})

test('a pattern makes the names of devices', () => {
  const device = { eui: '00AA0000000012FE', name: 'Door door' }
  const named = (pattern: string, [find, replacement] = ['', '']) =>
    renamed(device, 6, { pattern, find, replacement })
  assert.equal(named('{eui4}'), '12FE')
  assert.equal(named('{eui}'), '00AA0000000012FE')
  assert.equal(named('{n}, {nn}, {nnn}'), '7, 07, 007')
  assert.equal(renamed(device, 999, { pattern: '{nnn}', find: '', replacement: '' }), '1000')
  assert.equal(named('{name} {name}'), 'Door door Door door')
  assert.equal(named('{name}', ['oo', 'u']), 'Dur dur')
  // Neither the name nor the replacement is a pattern.
  assert.equal(named('{name}', ['Door', '$&{n}']), 'Door{n} door')
  assert.equal(named(' Lamp {x} {nnx} '), 'Lamp {x} {nnx}')
})

test('a name that cannot be is refused', () => {
  assert.equal(faultOf(''), 'At least one device would have no name.')
  assert.equal(faultOf('a'.repeat(longestName)), undefined)
  assert.match(faultOf('a'.repeat(longestName + 1)) ?? '', /longer than 255/)
})

test('the API is asked with every filter of the address', () => {
  const filters = {
    ...{ search: 'door', group: '7', network: 'chirpstack', type: '16', status: 'active' },
    ...{
      active: 'yes',
      low_battery: 'yes',
      tamper: 'yes',
      silent: '24',
      waiting: 'yes',
      verdict: 'silent',
      tag: 'floor:2',
      measures: 'air.temperature',
    },
  }
  const read = searchOf(deviceSearch)
  const asked = filtersOf(read({ ...filters, sort: 'name', order: 'asc', columns: 'name' }))
  assert.deepEqual(asked, { ...filters, group: 7, type: 16, silent: 24 })
  assert.deepEqual(Object.keys(noFilters).sort(), Object.keys(filters).sort())
  for (const [name, value] of Object.entries(filters)) {
    const alone = filtersOf(read({ [name]: value }))
    assert.deepEqual(Object.keys(alone), [name])
    assert.ok(isFiltered(alone), name)
  }
  assert.deepEqual(filtersOf(read({ status: 'lost', silent: '-1', sort: 'name' })), {})
  assert.ok(!isFiltered({}) && !isFiltered(noFilters))
})

/** The steps of a device as the page shows them. */
function showSteps(
  device: { status: string; error?: string; isLocal?: boolean },
  arrival: { joined?: string; uplink?: string } = {},
) {
  const { status, error = null, isLocal = false } = device
  const { joined = null, uplink } = arrival
  const facts = {
    device: {
      ...{ device_register_status: status, api_error: error, account: null, waiting_call: null },
      ...{ network: { key: 'chirpstack', name: 'ChirpStack' }, is_console_only: isLocal },
    },
    arrival: {
      ...{ created_at: hoursAgo(3), joined_at: joined, gateways_heard: 0 },
      first_uplink: uplink === undefined ? null : { time: uplink, message: 'Door opened' },
    },
  }
  return stepsOf(facts as unknown as ArrivalFacts)
}

const statesOf = (steps: ReturnType<typeof showSteps>) => steps.map(({ state }) => state)

test('a device arrives step by step', () => {
  const told = showSteps({ status: 'pending' })
  assert.deepEqual(statesOf(told), ['done', 'now', 'later', 'later'])
  assert.equal(told[1]?.note, 'Registering at ChirpStack.')
  const accepted = showSteps({ status: 'active' })
  assert.deepEqual(statesOf(accepted), ['done', 'done', 'now', 'later'])
  const joined = showSteps({ status: 'active' }, { joined: hoursAgo(2) })
  assert.deepEqual(statesOf(joined), ['done', 'done', 'done', 'now'])
  const here = showSteps({ status: 'active' }, { joined: hoursAgo(2), uplink: hoursAgo(1) })
  assert.deepEqual(statesOf(here), ['done', 'done', 'done', 'done'])
  assert.deepEqual(
    here.map(({ time, note }) => [time, note]),
    [
      [hoursAgo(3), undefined],
      [undefined, undefined],
      [hoursAgo(2), undefined],
      [hoursAgo(1), undefined],
    ],
  )
})

test('a device that is heard has joined, whatever the network reported', () => {
  const steps = showSteps({ status: 'pending' }, { uplink: hoursAgo(1) })
  assert.deepEqual(statesOf(steps), ['done', 'done', 'done', 'done'])
  assert.equal(steps[2]?.note, 'The network did not report it.')
})

test('a device that is refused says why', () => {
  const steps = showSteps({ status: 'register_error', error: 'The key is taken.' })
  assert.deepEqual(statesOf(steps), ['done', 'failed', 'later', 'later'])
  assert.equal(steps[1]?.note, 'The key is taken.')
  const local = showSteps({ status: 'active', isLocal: true })
  assert.equal(local[1]?.title, 'Recorded here only')
})
