import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultCodecLimits } from './codec.ts'
import { cacheLengthOf, createCodecPool, defaultPoolLimits, type PoolLimits } from './pool.ts'

const good = 'function decodeUplink(input) { return { data: { port: input.fPort } } }'
const endless = 'function decodeUplink() { while (true) {} }'
/** Hangs in native code, which has no interrupt checks. */
const native = 'function decodeUplink() { return { data: new Array(400000000).join("x") } }'

/** Limits for a busy machine, where a thread may take long to start. */
const patientLimits = { ...defaultPoolLimits, threads: 2, patience: 60_000 }

function start(t: { after(end: () => Promise<void>): void }, limits: Partial<PoolLimits> = {}) {
  const pool = createCodecPool({ ...patientLimits, ...limits })
  t.after(() => pool.close())
  const run = (tenantId: number, source: string, fPort = 1, organizationId = tenantId) =>
    pool.run({
      user: { organizationId, tenantId },
      codecId: `${organizationId} ${source}`,
      source,
      name: 'decodeUplink',
      input: JSON.stringify({ bytes: [], fPort }),
    })
  return { pool, run }
}

test('the cache of a thread grows with the memory, within bounds', () => {
  const mebibytes = ([gigabytes, threads]: readonly [number, number]) =>
    cacheLengthOf(gigabytes * 1024 ** 3, threads) / 1024 ** 2
  const machines = [
    [0.5, 2],
    [2, 2],
    [4, 2],
    [8, 4],
    [64, 4],
  ] as const
  assert.deepEqual(machines.map(mebibytes), [48, 64, 128, 128, 256])
})

test('answers each call with its own result', async (t) => {
  const { run } = start(t)
  const ports = Array.from({ length: 500 }, (_, index) => index)
  const outcomes = await Promise.all(ports.map((port) => run(1 + (port % 3), good, port)))
  assert.deepEqual(
    outcomes.map((outcome) => outcome.ok && JSON.parse(outcome.text).data.port),
    ports,
  )
})

test('slow and hostile codecs keep no other organization waiting', async (t) => {
  const hangMilliseconds = 900
  // On a busy machine a thread must have its 30 ms of a processor well before it counts as hung.
  const codec = { ...defaultCodecLimits, milliseconds: 30 }
  const { run } = start(t, { hangMilliseconds, codec })
  await run(3, good)
  let isOver = false
  const attack = async (organizationId: number, source: string) => {
    const messages = new Set<string>()
    while (!isOver) {
      const outcome = await run(organizationId, source)
      if (!outcome.ok) messages.add(outcome.message.replace(/\d+ s/, 'N s'))
      await sleep(1)
    }
    return messages
  }
  const attacks = [1, 2, 3, 4].flatMap(() => [attack(1, endless), attack(2, native)])
  const waits: number[] = []
  for (let call = 0; call < 100; call += 1) {
    const begun = performance.now()
    const outcome = await run(3, good)
    assert.ok(outcome.ok, JSON.stringify(outcome))
    waits.push(performance.now() - begun)
    await sleep(10)
  }
  isOver = true
  const said = new Set((await Promise.all(attacks)).flatMap((messages) => [...messages]))
  assert.ok(said.has('The codec was stopped after 30 ms.'))
  assert.ok(said.has('The codec did not come back and was ended.'))
  assert.ok(said.has('The codec was stopped too often and is not run for N s.'))
  const [median = Number.NaN] = waits.sort((one, other) => one - other).slice(waits.length / 2)
  assert.ok(median < hangMilliseconds, `half of the calls waited ${median} ms or more`)
})

test('endless codecs pause only themselves, and leave other tenants and organizations their share', async (t) => {
  const codec = { ...defaultCodecLimits, milliseconds: 10 }
  const { run } = start(t, { codec, patience: 2000 })
  let isOver = false
  const said = new Set<string>()
  const attack = async (index: number) => {
    while (!isOver) {
      const outcome = await run(1, `${endless} // ${index}`)
      if (!outcome.ok) said.add(outcome.message.replace(/\d+ s/, 'N s'))
      await sleep(5)
    }
  }
  const attacks = [1, 2, 3, 4].map(attack)
  for (let call = 0; call < 50; call += 1) {
    const others = await Promise.all([run(2, good), run(1, good, 1, 11), run(1, good)])
    for (const outcome of others) assert.ok(outcome.ok, JSON.stringify(outcome))
  }
  isOver = true
  await Promise.all(attacks)
  assert.deepEqual([...said].sort(), [
    'The codec was stopped after 10 ms.',
    'The codec was stopped too often and is not run for N s.',
  ])
})

test('codecs that fill the memory leave the process as large as it was', async (t) => {
  const { run } = start(t)
  const fill = (size: number, end: string) =>
    `let a = []; for (;;) try { a.push(new Uint8Array(${size}).fill(1)) } catch (e) { ${end} }`
  const codecs = [2e7, 1e6, 1e5].flatMap((size) =>
    ['break', 'throw e'].flatMap((end) => [
      `${fill(size, end)}; ${good}`,
      `function decodeUplink() { ${fill(size, end)}; return { data: {} } }`,
    ]),
  )
  await Promise.all([run(1, good), run(2, good)])
  const before = process.memoryUsage.rss()
  for (const source of codecs) await Promise.all([run(1, source), run(2, source), run(3, source)])
  const grown = (process.memoryUsage.rss() - before) / 1e6
  assert.ok(grown < 100, `the process has grown by ${grown} MB`)
})

test('a thread that hung is replaced, and what waited for it is done', async (t) => {
  const { run } = start(t, { threads: 1, hangMilliseconds: 600 })
  const outcomes = await Promise.all([run(1, native), run(2, good), run(2, good)])
  assert.deepEqual(
    outcomes.map(({ ok }) => ok),
    [false, true, true],
  )
})

test('says what it has no room or time for', async (t) => {
  const { run } = start(t, { capacity: 2, patience: 50 })
  const outcomes = await Promise.all(Array.from({ length: 3 }, () => run(1, endless)))
  assert.deepEqual(outcomes[2], {
    ok: false,
    failure: 'busy',
    message: 'Too many frames are queued for codecs.',
  })
})

test('answers what waits when it is closed', async (t) => {
  const { pool, run } = start(t)
  const waiting = Array.from({ length: 200 }, () => run(1, endless))
  await sleep(20)
  await pool.close()
  assert.ok((await Promise.all(waiting)).every(({ ok }) => !ok))
  assert.equal((await run(1, good)).ok, false)
})
