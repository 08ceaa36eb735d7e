import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { place } from '../../test/dashboards.ts'
import { foundOrganization } from '../../test/members.ts'
import { type Login, startTestService } from '../../test/service.ts'
import { until } from '../../test/until.ts'
import { createReadQueue, type ReadLimits } from './read-queue.ts'

const limits = { atOnce: 2, waiting: 3, patience: 60_000 }
const service = await startTestService({ after }, { reads: { wide: limits, narrow: limits } })

/** Sends requests, and keeps the statuses of those that were answered. */
function startCrowd(as: Login) {
  const statuses: number[] = []
  const open: Promise<void>[] = []
  const ask = async (path: string, body?: object) => {
    const answer = await service.call(body ? 'POST' : 'GET', `/v1${path}`, { as, body })
    statuses.push(answer.status)
  }
  return {
    statuses,
    ask,
    send(path: string, body?: object) {
      open.push(ask(path, body))
    },
    over: () => Promise.all(open),
  }
}

/** Holds up what reads devices. */
function whileLocked(work: () => Promise<void>): Promise<void> {
  return service.services.db.transaction(async (tx) => {
    await tx.query('lock table devices in access exclusive mode')
    await work()
  })
}

for (const [what, path, status] of [
  ['reads', '/devices/1', 404],
  ['overviews', '/fleet/summary', 200],
] as const) {
  test(`${what} beyond the room of an organization wait, and others have room`, async () => {
    const crowd = startCrowd(await foundOrganization(service, `${what}@example.test`))
    const other = startCrowd(await foundOrganization(service, `not-${what}@example.test`))
    await whileLocked(async () => {
      for (let sent = 0; sent < 6; sent += 1) crowd.send(path)
      await until(() => crowd.statuses.length > 0, 'no more may wait')
      await other.ask('/organization/retention')
      assert.deepEqual(other.statuses, [200])
      other.send(path)
    })
    await Promise.all([crowd.over(), other.over()])
    assert.deepEqual(crowd.statuses, [503, ...Array(5).fill(status)])
    assert.deepEqual(other.statuses, [200, status])
  })
}

test('a dashboard takes as much room as it has widgets', async () => {
  const crowd = startCrowd(await foundOrganization(service, 'walls@example.test'))
  const widgets = [1, 2].map(() => ({ type: 'counts', ...place }))
  await whileLocked(async () => {
    for (let sent = 0; sent < 5; sent += 1) {
      crowd.send('/dashboards/data', { widgets, range: '24h' })
    }
    await until(() => crowd.statuses.length === 2, 'one has the room, and two wait')
  })
  await crowd.over()
  assert.deepEqual(crowd.statuses, [503, 503, 200, 200, 200])
})

/** Reads that last until they are told to end; each has its name in `begun` when it begins. */
function startReads(changes: Partial<ReadLimits> = {}) {
  const queue = createReadQueue({ ...limits, atOnce: 1, ...changes })
  const begun: string[] = []
  const begin = (name: string, organizationId: number, tenantId = organizationId) => {
    const response = Object.assign(new EventEmitter(), { destroyed: false })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const read = {
      ...{ user: { organizationId, tenantId }, amount: 1 },
      response: response as unknown as ServerResponse,
    }
    const answered = queue.handle(read, () => {
      begun.push(name)
      return promise
    })
    answered.catch(() => {})
    return { response, answered, end: resolve, fail: reject }
  }
  return { begin, begun }
}

test('organizations have their turns one after the other', async () => {
  const { begin, begun } = startReads({ waiting: 100 })
  const reads = [begin('a1', 1), begin('a2', 1), begin('a3', 1)]
  reads.push(begin('b1', 2), begin('b2', 2), begin('c1', 3))
  for (const { end } of reads) end()
  await Promise.all(reads.map(({ answered }) => answered))
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'b2', 'c1', 'a3'])
})

test('a read that fails gives its room back', async () => {
  const { begin, begun } = startReads()
  const [first, second] = [begin('first', 1), begin('second', 1)]
  first.fail(new Error('it fails'))
  await assert.rejects(first.answered, /it fails/)
  assert.deepEqual(begun, ['first', 'second'])
  second.end()
})

test('who is gone leaves its place, and nothing is done for it', async () => {
  const { begin, begun } = startReads({ waiting: 1 })
  const first = begin('first', 1)
  const gone = begin('gone', 1)
  await assert.rejects(begin('refused', 1).answered, { status: 503 })
  gone.response.emit('close')
  await assert.rejects(gone.answered, { status: 503 })
  const last = begin('last', 1)
  first.end()
  last.end()
  await last.answered
  const late = begin('late', 1)
  late.end()
  assert.deepEqual(begun, ['first', 'last', 'late'])
})

test('who waits too long gets 503, and an organization leaves the others places to wait', async () => {
  const { begin } = startReads({ waiting: 4, patience: 50 })
  begin('first', 1)
  const crowd = Array.from({ length: 6 }, () => begin('crowd', 1))
  const other = begin('other', 2)
  const third = begin('third', 2)
  await assert.rejects(crowd[5]?.answered ?? Promise.resolve(), { status: 503 })
  await assert.rejects(third.answered, { status: 503 })
  other.end()
  await sleep(60)
  await assert.rejects(crowd[0]?.answered ?? Promise.resolve(), { status: 503 })
})
