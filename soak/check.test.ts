import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations, judge, type Promised } from './check.ts'
import type { Facts } from './facts.ts'
import { fitLine, isFlat } from './fit.ts'
import {
  createLedger,
  isCancelledBy,
  type Ledger,
  noteArrival,
  numberOf,
  outcome,
  payloadOf,
} from './ledger.ts'
import { planSoak } from './plan.ts'
import type { Sample } from './samples.ts'
import { describeVerdicts } from './summary.ts'

const eui = '00AA00BE00000001'
const plan = planSoak({ seed: 1, devices: 2, days: 10, minutes: 10 })

function tell(ledger: Ledger, number: number, ordinal: number, at = 0): void {
  const data = { ordinal, data: payloadOf('100301', number), device_id: eui }
  noteArrival(ledger, { id: `uplink_${ordinal}`, body: { type: 'uplink', data } }, at)
}

/** An entry in the history of a downlink. */
function tellEntry(ledger: Ledger, id: number, name: string): void {
  const body = { type: 'downlink', data: { id, device_id: eui, event_name: name } }
  noteArrival(ledger, { id: `downlink_${id}`, body }, 0)
}

/** Four uplinks of the last two days, and a downlink; all as it must be. */
function makeFacts(): Facts {
  const ledger = createLedger(20)
  const ordinals = new Uint32Array(20)
  for (const [at, number] of [16, 17, 18, 19].entries()) {
    ledger.outcomes[number] = outcome.acknowledged
    ordinals[number] = at + 1
    tell(ledger, number, at + 1)
  }
  ledger.downlinks.set('00000001', { eui, id: 1, isCancelled: false, lost: 0 })
  tellEntry(ledger, 1, 'event_created')
  tellEntry(ledger, 2, 'event_sent')
  return {
    ...{
      plan,
      ledger,
      endDay: 10,
      steadyDay: 2.5,
      behind: 0,
      hops: [],
      waiting: [],
      failures: [],
      errors: [],
    },
    counter: { uplinks: 4, firstOrdinal: 1 },
    stored: { ordinals, twice: [], rows: 4 },
    downlinks: [{ id: 1, eui, bytes: '00000001', state: 'sent', error: null, attempts: 1 }],
    ...{ transmitted: new Map([[eui, 1]]), history: [1, 2] },
    ...{ registered: [], joins: 0, alerts: { open: 0, closed: 0 }, samples: [] },
    ...{ resumed: 0, answered: 10, logLines: 10 },
  }
}

function sample(day: number, changes: Partial<Sample> = {}): Sample {
  return {
    ...{ day, processes: [{ memory: 200e6, files: 40 }], connections: 10 },
    ...{ database: 1e8, log: 5e7, tables: new Map([['uplinks', { rows: 14, bytes: 8192 }]]) },
    compared: { at: String(day), differences: 0 },
    ...changes,
  }
}

/** What is violated when something differs. */
function violated(change: (facts: Facts) => Partial<Facts> | undefined): Promised[] {
  const facts = makeFacts()
  const found = findViolations({ ...facts, ...change(facts) })
  return [...new Set(found.map(({ promised }) => promised))]
}

const days = Array.from({ length: 16 }, (_, index) => index + 1)

test('finds nothing where everything is as it must be', () => {
  assert.deepEqual(
    violated(() => ({ samples: days.map((day) => sample(day)) })),
    [],
  )
})

test('finds an acknowledged uplink that is not stored, and one that is stored twice', () => {
  const lost = violated(({ stored }) => {
    stored.ordinals[17] = 0
    return undefined
  })
  assert.deepEqual(lost, ['Uplinks'])
  const twice = violated(({ ledger }) => {
    tell(ledger, 16, 5)
    return { counter: { uplinks: 5, firstOrdinal: 1 }, stored: { ...makeFacts().stored, rows: 5 } }
  })
  assert.deepEqual(twice, ['Uplinks'])
})

test('finds an uplink whose event never came', () => {
  const found = violated(({ ledger }) => {
    ledger.ordinals[18] = 0
    ledger.arrivals[3] = 0
    return undefined
  })
  assert.deepEqual(found, ['Webhooks'])
})

test('finds what is deleted too early, or too late', () => {
  const early = violated(({ stored }) => {
    stored.ordinals[16] = 0
    return { counter: { uplinks: 4, firstOrdinal: 2 }, stored: { ...stored, rows: 3 } }
  })
  assert.deepEqual(early, ['Retention'])
  assert.deepEqual(
    violated(() => ({ endDay: 30 })),
    ['Retention'],
  )
})

test('finds a wrong counter', () => {
  const found = violated(({ stored }) => ({ stored: { ...stored, rows: 3 } }))
  assert.deepEqual(found, ['Counters'])
})

test('an event may come again where something has cut off the attempt before', () => {
  const again = (before: number, facts: { disturbances?: number[]; hops?: number[] }) =>
    violated(({ ledger }) => {
      ledger.disturbances.push(...(facts.disturbances ?? []))
      ledger.arrivedAt[1] = before
      tell(ledger, 16, 1, 100_000)
      return { hops: facts.hops ?? [] }
    })
  assert.deepEqual(again(98_900, {}), ['Repetitions'])
  assert.deepEqual(again(98_900, { disturbances: [99_000] }), [])
  assert.deepEqual(again(60_000, { disturbances: [99_000] }), ['Repetitions'])
  assert.deepEqual(again(60_000, { disturbances: [60_100, 99_000] }), [], 'away in between')
  assert.deepEqual(again(60_000, { disturbances: [60_100] }), ['Repetitions'])
  assert.deepEqual(again(98_900, { hops: [99_000] }), [])
  assert.deepEqual(again(60_000, { hops: [60_100, 99_000] }), ['Repetitions'], 'not over two hops')
  const held = { disturbances: [60_100, 70_000], hops: [99_000] }
  assert.deepEqual(again(60_000, held), [], 'held back until the clock hops')
})

test('an event that comes a third time is compared with the second one', () => {
  const ledger = createLedger(1)
  for (const at of [1, 2, 3]) {
    tell(ledger, 0, 1, at)
    noteArrival(ledger, { id: 'join_1', body: { type: 'join', data: {} } }, at)
  }
  const times = ledger.repetitions.map(({ id, before, at }) => [id, before, at])
  assert.deepEqual(times, [
    ['uplink_1', 1, 2],
    ['join_1', 1, 2],
    ['uplink_1', 2, 3],
    ['join_1', 2, 3],
  ])
})

test('finds a downlink that is lost, not sent, or transmitted twice', () => {
  const [one] = makeFacts().downlinks
  assert.ok(one)
  assert.deepEqual(
    violated(() => ({ downlinks: [], transmitted: new Map() })),
    ['Downlinks'],
  )
  const failed = { downlinks: [{ ...one, state: 'failed' }], transmitted: new Map() }
  assert.deepEqual(
    violated(() => failed),
    ['Downlinks'],
  )
  const twice = { transmitted: new Map([[eui, 2]]) }
  assert.deepEqual(
    violated(() => twice),
    ['Downlinks'],
  )
  const again = { ...twice, downlinks: [{ ...one, attempts: 2 }] }
  assert.deepEqual(
    violated(() => again),
    [],
  )
})

test('a downlink may be there again only where an answer was lost', () => {
  const [one] = makeFacts().downlinks
  assert.ok(one)
  const again = (lost: number, ids: number[], changes = {}) =>
    violated(({ ledger }) => {
      ledger.downlinks.set(one.bytes, { eui, id: 1, isCancelled: false, lost })
      const downlinks = ids.map((id) => ({ ...one, id, ...(id === 1 ? {} : changes) }))
      return { downlinks, transmitted: new Map([[eui, ids.length]]) }
    })
  assert.deepEqual(again(0, [1, 2]), ['Downlinks'])
  assert.deepEqual(again(1, [1, 2]), [])
  assert.deepEqual(again(1, [1, 2, 3]), ['Downlinks'])
  assert.deepEqual(again(1, [2]), ['Downlinks'], 'what was answered must be there')
  assert.deepEqual(again(1, [1, 2], { eui: '00AA00BE00000002' }), ['Downlinks'])
  const cancelled = again(1, [1, 2], { state: 'cancelled' })
  assert.deepEqual(cancelled, ['Downlinks'], 'nobody cancelled the other one')
})

test('a downlink is cancelled where it was told so, and nowhere else', () => {
  const [one] = makeFacts().downlinks
  assert.ok(one)
  const cancelled = (isCancelled: boolean, state: string) =>
    violated(({ ledger }) => {
      ledger.downlinks.set(one.bytes, { eui, id: 1, isCancelled, lost: 0 })
      const transmitted = new Map([[eui, state === 'sent' ? 1 : 0]])
      return { downlinks: [{ ...one, state }], transmitted }
    })
  assert.deepEqual(cancelled(true, 'cancelled'), [])
  assert.deepEqual(cancelled(true, 'sent'), ['Downlinks'])
  assert.deepEqual(cancelled(false, 'cancelled'), ['Downlinks'])
})

test('after a repeated DELETE, the state tells whether a downlink is cancelled', () => {
  const isCancelled = (attempts: number, said: string, state: string, status = 200) => {
    const text = JSON.stringify({ data: { outcome: said, downlink: { state } } })
    return isCancelledBy({ status, text, attempts })
  }
  assert.equal(isCancelled(1, 'cancelled', 'cancelled'), true)
  assert.equal(isCancelled(2, 'finished', 'cancelled'), true)
  assert.equal(isCancelled(1, 'finished', 'cancelled'), false)
  assert.equal(isCancelled(2, 'finished', 'sent'), false)
  assert.equal(isCancelled(1, '', '', 404), false)
})

test('finds an entry of a downlink that nobody was told of, and one that is not there', () => {
  const told = (...history: number[]) => violated(() => ({ history }))
  assert.deepEqual(told(1, 2), [])
  assert.deepEqual(told(1, 2, 3), ['Webhooks'])
  assert.deepEqual(told(1), ['Webhooks'])
  assert.deepEqual(told(1, 3), ['Webhooks'], 'the number alone would not tell')
})

test('finds an alert that nobody was told of', () => {
  assert.deepEqual(
    violated(() => ({ alerts: { open: 1, closed: 0 } })),
    ['Webhooks'],
  )
})

test('finds what grows', () => {
  const growing = (changes: (day: number) => Partial<Sample>) =>
    violated(() => ({ samples: days.map((day) => sample(day, changes(day))) }))
  const memory = (day: number) => ({ processes: [{ memory: day * 50e6, files: 40 }] })
  assert.deepEqual(growing(memory), ['Memory'])
  const files = (day: number) => ({ processes: [{ memory: 200e6, files: day * 10 }] })
  assert.deepEqual(growing(files), ['Files'])
  assert.deepEqual(
    growing((day) => ({ connections: day * 5 })),
    ['Connections'],
  )
  const rows = (day: number) => ({ tables: new Map([['jobs', { rows: day * 1000, bytes: 1 }]]) })
  assert.deepEqual(growing(rows), ['Tables'])
  const compared = () => ({ compared: { at: '1', differences: 0 } })
  assert.deepEqual(growing(compared), ['Comparisons'])
})

/** What is named as not judged. */
function notJudged(changes: Partial<Facts>): Promised[] {
  const verdicts = judge({ ...makeFacts(), ...changes })
  return verdicts.filter(({ judged }) => judged === 0).map(({ promised }) => promised)
}

test('what was not judged has not passed', () => {
  const ofSamples = ['Memory', 'Files', 'Connections', 'Tables', 'Disk'] as const
  assert.deepEqual(notJudged({}), ['Retention', ...ofSamples, 'Comparisons', 'Variety'])
  const few = [3, 4].map((day) => sample(day))
  assert.deepEqual(notJudged({ samples: few }), ['Retention', ...ofSamples, 'Variety'])
  const short = days.slice(0, 10).map((day) => sample(day))
  assert.deepEqual(notJudged({ samples: short }), ['Retention', 'Tables', 'Disk', 'Variety'])
  const long = days.map((day) => sample(day))
  assert.deepEqual(notJudged({ samples: long }), ['Retention', 'Variety'])
  const withoutProc = days.map((day) => sample(day, { processes: [] }))
  assert.deepEqual(notJudged({ samples: withoutProc }).slice(1, 3), ['Memory', 'Files'])
  const nothing = { answered: 0, logLines: 0, ledger: createLedger(20) }
  assert.ok(
    ['Uplinks', 'Webhooks', 'Downlinks', 'Answers', 'Errors in the log'].every((promised) =>
      notJudged(nothing).includes(promised as Promised),
    ),
  )
  assert.ok(!notJudged({ endDay: 30 }).includes('Retention'))
})

test('counts only what was judged as passed', () => {
  const violation = { promised: 'Files', text: 'they grew' } as const
  const lines = describeVerdicts([
    { promised: 'Uplinks', judged: 4, violations: [] },
    { promised: 'Tables', judged: 0, violations: [] },
    { promised: 'Files', judged: 0, violations: [violation, violation] },
  ])
  assert.ok(lines.includes('not judged: Tables'))
  assert.ok(lines.includes('VIOLATED Files: they grew'))
  assert.equal(lines.at(-1), '1 passed, 1 failed')
})

test('finds senders that are behind', () => {
  assert.deepEqual(
    violated(() => ({ behind: 0.5 })),
    [],
  )
  assert.deepEqual(
    violated(() => ({ behind: 0.6 })),
    ['Pace'],
  )
})

test('a long run has alerts, cancelled downlinks, joins and resumed webhooks', () => {
  const lacks = (settings: object, changes: Partial<Facts> = {}, isCancelled = true) => {
    const all = { alerts: { open: 0, closed: 1 }, joins: 1, resumed: 1 }
    const ledger = createLedger(1)
    ledger.downlinks.set('00000001', { eui, id: 1, isCancelled, lost: 0 })
    const long = planSoak({ seed: 1, devices: 1000, days: 10, minutes: 10, ...settings })
    const found = findViolations({ ...makeFacts(), plan: long, ...all, ledger, ...changes })
    return found.flatMap(({ promised, text }) => (promised === 'Variety' ? text : []))
  }
  assert.deepEqual(lacks({}), [])
  assert.deepEqual(lacks({}, { alerts: { open: 0, closed: 0 } }), ['no alert was opened'])
  assert.deepEqual(lacks({}, {}, false), ['no downlink was cancelled'])
  assert.deepEqual(lacks({}, { joins: 0 }), ['no device joined again'])
  assert.deepEqual(lacks({}, { resumed: 0 }), ['no webhook was resumed'])
  assert.deepEqual(lacks({ devices: 999 }, { joins: 0 }), [])
  assert.deepEqual(lacks({ minutes: 3 }, { joins: 0 }), [])
})

test('fits a line, and calls small growth flat', () => {
  assert.deepEqual(fitLine([1, 2, 3, 4]), { first: 1, last: 4 })
  assert.deepEqual(
    [isFlat([100, 110, 100, 112], 0), isFlat([100, 120, 140, 160], 0)],
    [true, false],
  )
})

test('an uplink carries its number', () => {
  assert.equal(numberOf(payloadOf('110300', 2_999_999)), 2_999_999)
  assert.equal(numberOf('110300'), undefined)
})
