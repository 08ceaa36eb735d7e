import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeViolation, findViolations, type Guarantee, guarantees } from './check.ts'
import type { Facts } from './facts.ts'
import { type Entry, type Episode, recoveryLimit } from './history.ts'
import { faultKinds, operations, planFaults, planSteps, type Step } from './plan.ts'

const eui = '00AA1F0000000001'
const bytes = '00000001'

function entry(changes: Partial<Entry>): Entry {
  return {
    ...{ client: 'client 1.0', organization: 1, operation: 'uplink', subject: eui, value: 'a' },
    ...{ process: 0, begin: 1_000, end: 1_010, outcome: 'done', status: 200 },
    ...changes,
  }
}

const register = entry({ operation: 'register', value: 'there', begin: 0, end: 10 })
const first = entry({ value: 'a', begin: 1_000, end: 1_010 })
const second = entry({ value: 'b', begin: 2_000, end: 2_010 })
const downlink = entry({ operation: 'downlink', value: bytes, begin: 3_000, end: 3_010 })

function uplink(key: string, ordinal: number) {
  return { organization: 1, eui, key, ordinal, deviceOrdinal: ordinal }
}

function event(ordinal: number) {
  const text = JSON.stringify({ data: { ordinal } })
  return { organization: 1, id: `uplink_1_${ordinal}`, type: 'uplink', eui, ordinal, text }
}

const registration = {
  ...{ organization: 1, id: 'event_1', type: 'registration', eui, ordinal: undefined },
  text: JSON.stringify({ data: { status: 'active' } }),
}
const ledgerEntry = { id: 7, organization: 1, eui, bytes, state: 'handed_over', error: null }
const place = { organization: 1, network: 'chirpstack', eui, queue: [bytes] }
const device = { organization: 1, eui, network: 'chirpstack', status: 'active', isMoving: false }

/** A run in which all went well. */
const good: Facts = {
  entries: [register, first, second, downlink],
  episodes: [],
  uplinks: [uplink('a', 1), uplink('b', 2)],
  quarantined: [],
  wrongCounters: { organizations: 0 },
  devices: [device],
  downlinks: [ledgerEntry],
  atNetworks: [place],
  received: [registration, event(1), event(2)],
  unfinished: [],
  restoreDifferences: [],
}

const read = (changes: Partial<Entry>) =>
  entry({ operation: 'read', begin: 5_000, end: 5_010, ...changes })
const named = (value: string, begin: number, outcome: Entry['outcome'] = 'done') =>
  entry({ operation: 'group', subject: 'group 1', value, begin, end: begin + 10, outcome })
const plus = (...more: Entry[]) => ({ entries: [...good.entries, ...more] })
const episode = {
  kind: 'kill a process',
  target: 'process 0',
  begin: 10_000,
  end: 11_000,
  recovered: 12_000,
} as const

const wrong: readonly [string, Guarantee, Partial<Facts>][] = [
  ['an acknowledged uplink is missing', 'Durability', { uplinks: [uplink('a', 1)] }],
  [
    'an accepted downlink is missing',
    'Durability',
    { downlinks: [], atNetworks: [{ ...place, queue: [] }] },
  ],
  [
    'a registered device is gone at the end',
    'Durability',
    plus(read({ client: 'last look', value: null })),
  ],
  [
    'an uplink is there twice',
    'Exactly once',
    { uplinks: [...good.uplinks, uplink('b', 3)], received: [...good.received, event(3)] },
  ],
  ['an ordinal is missing', 'Exactly once', { wrongCounters: { devices: 1 } }],
  ['two uplinks changed places', 'Order', { uplinks: [uplink('b', 1), uplink('a', 2)] }],
  ['a device is not found', 'Read your writes', plus(read({ value: null }))],
  [
    'an old name is read',
    'Read your writes',
    plus(named('old', 100), named('new', 200), read({ subject: 'group 1', value: 'old' })),
  ],
  [
    'uplinks are not listed',
    'Read your writes',
    plus(read({ subject: `uplinks ${eui}`, value: 1 })),
  ],
  ['an answer has data of others', 'Tenant isolation', plus(entry({ leak: '00AA2F', ...look() }))],
  [
    'data of others can be asked for',
    'Tenant isolation',
    plus(entry({ operation: 'foreign', subject: '00AA2F0000000001' })),
  ],
  [
    'a receiver gets events of others',
    'Tenant isolation',
    { received: [...good.received, { ...event(2), text: '"00AA2F0000000001"' }] },
  ],
  ['a downlink waits for ever', 'Accepted work is done', { unfinished: ['1 downlinks wait'] }],
  [
    'a device is at two networks',
    'Accepted work is done',
    { atNetworks: [place, { ...place, network: 'thethingsnetwork', queue: [] }] },
  ],
  ['a deleted device stays', 'Accepted work is done', { devices: [], downlinks: [ledgerEntry] }],
  [
    'a downlink is handed over twice',
    'Downlinks',
    { atNetworks: [{ ...place, queue: [bytes, bytes] }] },
  ],
  ['a downlink is lost', 'Downlinks', { atNetworks: [{ ...place, queue: [] }] }],
  [
    'a cancelled downlink is sent',
    'Downlinks',
    {
      downlinks: [{ ...ledgerEntry, state: 'cancelled' }],
      ...plus(entry({ operation: 'cancel', value: bytes, begin: 4_000, end: 4_010 })),
    },
  ],
  [
    'downlinks change places',
    'Downlinks',
    {
      downlinks: [ledgerEntry, { ...ledgerEntry, id: 8, bytes: '00000002' }],
      atNetworks: [{ ...place, queue: ['00000002', bytes] }],
    },
  ],
  ['an event never came', 'Webhooks', { received: [registration, event(1)] }],
  ['events change places', 'Webhooks', { received: [registration, event(2), event(1)] }],
  ['a registration is not told of', 'Webhooks', { received: [event(1), event(2)] }],
  [
    'an id names two events',
    'Webhooks',
    { received: [...good.received, { ...event(2), eui: '00AA1F0000000002' }] },
  ],
  [
    'a recovery takes too long',
    'Recovery',
    { episodes: [{ ...episode, recovered: episode.end + recoveryLimit + 1 }] },
  ],
  ['there is no recovery', 'Recovery', { episodes: [{ ...episode, recovered: undefined }] }],
  [
    'a request fails without a fault',
    'Recovery',
    plus(entry({ ...look(), outcome: 'unknown', status: 503 })),
  ],
  [
    'a request ends in an inner error',
    'Clear refusals',
    {
      ...plus(entry({ ...look(), outcome: 'unknown', status: 500, begin: 10_500, end: 10_600 })),
      episodes: [episode],
    },
  ],
  [
    'a look is refused',
    'Read your writes',
    plus(read({ subject: 'group 1', outcome: 'refused', status: 403 })),
  ],
  [
    'a refused uplink is stored',
    'Clear refusals',
    { entries: [register, first, { ...second, outcome: 'refused', status: 422 }, downlink] },
  ],
  [
    'a refused downlink is in the ledger',
    'Clear refusals',
    { entries: [register, first, second, { ...downlink, outcome: 'refused', status: 422 }] },
  ],
  ['a table differs', 'Backup', { restoreDifferences: ['uplinks: 2 rows, restored 1'] }],
]

function look(): Partial<Entry> {
  return { operation: 'look', subject: 'devices', value: null }
}

test('a run in which all went well violates nothing', () => {
  assert.deepEqual(findViolations(good), [])
})

for (const [what, guarantee, changes] of wrong) {
  test(`finds it when ${what}`, () => {
    const facts = { ...good, ...changes }
    const found = findViolations(facts)
    assert.deepEqual([...new Set(found.map((violation) => violation.guarantee))], [guarantee])
    assert.match(describeViolation(found[0] as (typeof found)[number], facts), /^VIOLATED /)
  })
}

test('each guarantee has a history that violates it', () => {
  assert.deepEqual(new Set(wrong.map(([, guarantee]) => guarantee)), new Set(guarantees))
})

test('what had no answer may have happened, or not, or happen later', () => {
  const began = [named('old', 100), named('new', 200, 'unknown')]
  for (const value of ['old', 'new']) {
    const facts = { ...good, ...plus(...began, read({ subject: 'group 1', value })) }
    assert.deepEqual(findViolations({ ...facts, episodes: [{ ...episode, begin: 0 }] }), [])
  }
})

test('a downlink may come twice where a process stood still in the middle of it for long', () => {
  const cancel = entry({
    ...{ operation: 'cancel', value: bytes, begin: 4_000, end: 11_000 },
    ...{ outcome: 'unknown', status: 0 },
  })
  const find = (pause: Partial<Episode>) =>
    findViolations({
      ...{ ...good, ...plus(cancel), atNetworks: [{ ...place, queue: [bytes, bytes] }] },
      episodes: [{ ...stop, ...pause }],
    })
  const stop: Episode = {
    ...{ kind: 'stop a process', target: 'process 0', begin: 4_500, end: 10_000 },
    recovered: 10_100,
  }
  assert.deepEqual(find({}), [])
  const ahead = { kind: 'the clock jumps', target: 'by 20 s, and back' } as const
  const behind = { kind: 'the clock jumps', target: 'by -20 s, and back' } as const
  assert.deepEqual(find(ahead), [])
  assert.deepEqual(find(behind), [])
  assert.notDeepEqual(find({ ...ahead, begin: 3_500 }), [])
  assert.notDeepEqual(find({ ...behind, end: 12_000 }), [])
  for (const other of [{ target: 'process 1' }, { begin: 3_500 }, { end: 8_000 }]) {
    assert.notDeepEqual(find(other), [])
  }
})

test('only a network that refuses keeps a deleted device', () => {
  const remove = entry({ operation: 'delete', value: null, begin: 4_000, end: 4_010 })
  const deleted = { ...registration, text: JSON.stringify({ data: { status: 'deleted' } }) }
  const find = (changes: Partial<Episode>) =>
    findViolations({
      ...{ ...good, ...plus(remove), devices: [], received: [...good.received, deleted] },
      episodes: [{ ...refusal, ...changes }],
    })
  const refusal: Episode = {
    ...{ kind: 'network refuses', target: 'chirpstack of organization 1' },
    ...{ begin: 3_500, end: 8_000, recovered: 8_100 },
  }
  assert.deepEqual(find({}), [])
  assert.notDeepEqual(find({ target: 'thethingsnetwork of organization 1' }), [])
  assert.notDeepEqual(find({ target: 'chirpstack of organization 2' }), [])
  assert.notDeepEqual(find({ end: 3_900 }), [])
})

test('what overlaps has no order', () => {
  const entries = [register, downlink, { ...first, end: 2_500 }, second]
  const uplinks = [uplink('b', 1), uplink('a', 2)]
  assert.deepEqual(findViolations({ ...good, entries, uplinks }), [])
})

test('the same seed gives the same operations and faults, and another one gives others', () => {
  const steps = (seed: number) => planSteps(seed, 1).take(500).toArray()
  assert.deepEqual(steps(7), steps(7))
  assert.notDeepEqual(steps(7), steps(8))
  const done = new Set(steps(7).map(({ operation }: Step) => operation))
  assert.deepEqual([...done].sort(), [...operations].sort())
  const round = planFaults(7).take(faultKinds.length).toArray()
  assert.deepEqual(round, planFaults(7).take(faultKinds.length).toArray())
  assert.deepEqual(round.map(({ kind }) => kind).sort(), [...faultKinds].sort())
})
