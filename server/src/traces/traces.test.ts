import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { writeOtlp } from './otlp.ts'
import { currentSpan, type EndedSpan, readTraceparent, traceFields } from './span.ts'
import { createSpanQueue, type Delivery } from './span-queue.ts'
import { readPairs } from './trace-settings.ts'
import { createTracer, noTraces, type Sampling } from './tracer.ts'

const all: Sampling = { ratio: 1, follows: true }
const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const header = `00-${parent.traceId}-${parent.spanId}`

/** A tracer whose spans are kept here. */
function startTracer(sampling = all) {
  const ended: EndedSpan[] = []
  const counts = () => ({ sent: ended.length, dropped: 0 })
  const queue = { add: (span: EndedSpan) => void ended.push(span), counts, close: async () => {} }
  return { tracer: createTracer(queue, sampling), ended }
}

describe('spans', () => {
  test('are parts of each other, and of the trace of a caller', async () => {
    const { tracer, ended } = startTracer()
    const from = readTraceparent(`${header}-01`)
    await tracer.run({ name: 'outer', kind: 'server', parent: from }, async (outer) => {
      assert.deepEqual(traceFields(), { traceId: parent.traceId, spanId: outer.context.spanId })
      await tracer.run({ name: 'inner' }, async () => undefined)
      await assert.rejects(tracer.run({ name: 'wrong' }, () => Promise.reject(new TypeError('x'))))
    })
    assert.equal(currentSpan(), undefined)
    const [inner, wrong, outer] = ended
    assert.deepEqual([outer?.traceId, outer?.parentId], [parent.traceId, parent.spanId])
    assert.deepEqual([inner?.traceId, inner?.parentId], [parent.traceId, outer?.spanId])
    assert.equal(wrong?.failure, 'TypeError')
  })

  test('that begin after the end of their cause are traces of their own', async () => {
    const { tracer, ended } = startTracer()
    let later = Promise.resolve()
    await tracer.run({ name: 'request' }, async () => {
      later = new Promise((resolve) => setImmediate(resolve)).then(() =>
        tracer.run({ name: 'afterwards' }, async () => undefined),
      )
    })
    await later
    const [request, afterwards] = ended
    assert.notEqual(afterwards?.traceId, request?.traceId)
    assert.equal(afterwards?.parentId, undefined)
    assert.deepEqual(
      afterwards?.links.map(({ spanId }) => spanId),
      [request?.spanId],
    )
  })

  test('that are short may be left out, unless they failed or have parts', async () => {
    const { tracer, ended } = startTracer()
    const least = 60_000
    await tracer.run({ name: 'idle', least }, async () => undefined)
    await tracer.run({ name: 'busy', least }, () => tracer.run({ name: 'part' }, async () => {}))
    await tracer.run({ name: 'failed', least }, async (span) => span.fail('wrong'))
    assert.deepEqual(
      ended.map(({ name }) => name),
      ['part', 'busy', 'failed'],
    )
  })

  test('are chosen by trace: by the caller, or by a part of all', async () => {
    const count = async (sampling: Sampling, flags?: string) => {
      const { tracer, ended } = startTracer(sampling)
      for (let number = 0; number < 400; number += 1) {
        const from = flags === undefined ? undefined : readTraceparent(`${header}-${flags}`)
        await tracer.run({ name: 'outer', parent: from }, () =>
          tracer.run({ name: 'inner' }, async () => undefined),
        )
      }
      return ended.length
    }
    assert.equal(await count(all), 800)
    assert.equal(await count({ ratio: 0, follows: true }), 0)
    const some = await count({ ratio: 0.25, follows: true })
    assert.ok(some > 80 && some < 340 && some % 2 === 0, `${some} of 800`)
    assert.equal(await count(all, '00'), 0)
    assert.equal(await count({ ratio: 0, follows: true }, '01'), 800)
    assert.equal(await count({ ratio: 0, follows: false }, '01'), 0)
    assert.equal(await count({ ratio: 1, follows: false }, '00'), 800)
  })

  test('do nothing where traces are off', async () => {
    assert.equal(await noTraces.run({ name: 'any' }, async () => currentSpan()), undefined)
    assert.deepEqual(traceFields(), {})
  })
})

test('a traceparent that is not valid begins a new trace', () => {
  assert.deepEqual(readTraceparent(`${header}-01`), { ...parent, isSampled: true })
  assert.deepEqual(readTraceparent(`${header}-02`), { ...parent, isSampled: false })
  assert.deepEqual(readTraceparent(`01-${header.slice(3)}-01-more`)?.isSampled, true)
  const wrong = ['', 'x', header, `${header}-1`, `${header}-01-more`, `ff-${header.slice(3)}-01`]
  wrong.push(`${header}-01`.toUpperCase(), `00-${'0'.repeat(32)}-${parent.spanId}-01`)
  wrong.push(`00-${parent.traceId}-${'0'.repeat(16)}-01`)
  for (const text of [...wrong, undefined, [header]]) {
    assert.equal(readTraceparent(text), undefined, String(text))
  }
})

test('headers and attributes are read as pairs', () => {
  assert.deepEqual(readPairs('a=1, Api-Key = s%20e=t ,,'), { a: '1', 'Api-Key': 's e=t' })
  assert.deepEqual(readPairs(''), {})
  for (const text of ['a', '=1', 'a=1,b', 'a=%', 'a b=1', 'a=%0d%0a']) {
    assert.equal(readPairs(text), undefined, text)
  }
})

const span: EndedSpan = {
  ...{ ...parent, isSampled: true, parentId: undefined, name: 'work', kind: 'client' },
  ...{ begunAt: 1_772_366_400_000.25, endedAt: 1_772_366_400_001.5 },
  attributes: { text: 'a', whole: 3, part: 0.5, is: true, none: undefined },
  ...{ links: [], failure: 'timeout' },
}

test('spans are written as OTLP in JSON', () => {
  const written = writeOtlp({ 'service.name': 'x' }, { name: 'n', version: 'v' }, [span])
  assert.deepEqual(JSON.parse(written).resourceSpans[0], {
    resource: { attributes: [{ key: 'service.name', value: { stringValue: 'x' } }] },
    scopeSpans: [
      {
        scope: { name: 'n', version: 'v' },
        spans: [
          {
            ...parent,
            ...{ name: 'work', kind: 3 },
            startTimeUnixNano: '1772366400000250000',
            endTimeUnixNano: '1772366400001500000',
            attributes: [
              { key: 'text', value: { stringValue: 'a' } },
              { key: 'whole', value: { intValue: '3' } },
              { key: 'part', value: { doubleValue: 0.5 } },
              { key: 'is', value: { boolValue: true } },
              { key: 'error.type', value: { stringValue: 'timeout' } },
            ],
            status: { code: 2, message: 'timeout' },
          },
        ],
      },
    ],
  })
})

test('a collector that is away costs spans beyond the bound, and nothing else', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const batches: number[] = []
  const told: boolean[] = []
  let answer: Delivery = { outcome: 'later', rejected: 0, reason: 'away' }
  const queue = createSpanQueue({
    send: async (spans) => {
      batches.push(spans.length)
      return answer
    },
    tell: (isWell) => void told.push(isWell),
  })
  const turn = async () => {
    t.mock.timers.tick(5000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (let count = 0; count < 3000; count += 1) queue.add(span)
  await turn()
  assert.deepEqual(queue.counts(), { sent: 0, dropped: 3000 - 2048 })
  assert.deepEqual([batches, told], [[512], [false]])
  answer = { outcome: 'taken', rejected: 2, reason: '' }
  // One turn passes after the first failure.
  await turn()
  assert.equal(batches.length, 1)
  await turn()
  assert.deepEqual(
    [batches, told],
    [
      [512, 512, 512, 512, 512],
      [false, true],
    ],
  )
  assert.deepEqual(queue.counts(), { sent: 2040, dropped: 952 + 8 })
  answer = { outcome: 'never', rejected: 0, reason: 'it answered 400' }
  queue.add(span)
  await queue.close()
  assert.deepEqual(queue.counts(), { sent: 2040, dropped: 961 })
})
