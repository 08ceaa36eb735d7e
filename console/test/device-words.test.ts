import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionsOf } from '../src/condition/conditions.ts'
import { faultOf, longestName, renamed } from '../src/pages/devices/bulk/name-pattern.ts'
import {
  deviceSearch,
  filtersOf,
  isFiltered,
  noFilters,
} from '../src/pages/devices/device-search.ts'
import type { FleetDevice } from '../src/pages/devices/use-device-list.ts'
import { type ArrivalFacts, stepsOf } from '../src/pages/work/arrival/arrival-steps.ts'
import { searchOf } from '../src/router/search.ts'

/** What the console says of a device, without a browser. */

const now = Date.parse('2026-03-01T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString()

/** A device that is well, but for the changes. */
function wordsOf(changes: Partial<FleetDevice>): string[] {
  const device = {
    ...{ device_register_status: 'active', last_seen: hoursAgo(1), is_active: true },
    ...{ tamper: null, low_battery: false, config_error: null },
    ...changes,
  }
  return conditionsOf(device as FleetDevice, now).map(({ word }) => word)
}

test('a device is silent after a day', () => {
  assert.deepEqual(wordsOf({ last_seen: hoursAgo(23) }), ['OK'])
  assert.deepEqual(wordsOf({ last_seen: hoursAgo(24) }), ['OK'])
  assert.deepEqual(wordsOf({ last_seen: hoursAgo(25) }), ['Silent'])
})

test('each condition has its word, and the most serious comes first', () => {
  assert.deepEqual(wordsOf({ last_seen: null }), ['Never heard'])
  const pending = { device_register_status: 'pending', last_seen: null } as const
  assert.deepEqual(wordsOf(pending), ['Pending'])
  assert.deepEqual(wordsOf({ is_active: false }), ['Inactive'])
  const changes = { tamper: true, low_battery: true, config_error: true, is_active: false }
  assert.deepEqual(
    wordsOf({ ...changes, device_register_status: 'register_error', last_seen: hoursAgo(25) }),
    ['Not registered', 'Tampered', 'Silent', 'Low battery', 'Config error', 'Inactive'],
  )
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
  assert.equal(faultOf(''), 'would have no name')
  assert.equal(faultOf('a'.repeat(longestName)), undefined)
  assert.match(faultOf('a'.repeat(longestName + 1)) ?? '', /longer than 255/)
})

test('the API is asked with every filter of the address', () => {
  const filters = {
    ...{ search: 'door', group: '7', network: 'chirpstack', type: '16', status: 'active' },
    ...{ active: 'yes', low_battery: 'yes', tamper: 'yes', silent: '24', waiting: 'yes' },
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
  assert.equal(told[1]?.note, 'ChirpStack is being told.')
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
