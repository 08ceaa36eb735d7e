import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { place } from '../../test/dashboards.ts'
import { foundOrganization } from '../../test/members.ts'
import { startTestService } from '../../test/service.ts'
import { until } from '../../test/until.ts'

const most = 4
const service = await startTestService({ after }, { mostWide: most })
const { db } = service.services

test('more overviews at once than a process handles get 503, and others have room', async () => {
  const crowd = await foundOrganization(service, 'crowd@example.test')
  const other = await foundOrganization(service, 'other@example.test')
  const statuses: number[] = []
  const look = async (as: typeof crowd) =>
    (await service.call('GET', '/v1/fleet/summary', { as })).status
  const waiting = await db.transaction(async (tx) => {
    await tx.query('lock table devices in access exclusive mode')
    const crowded = Array.from({ length: most + 3 }, async () => {
      statuses.push(await look(crowd))
    })
    await until(() => statuses.length >= 3, 'what is beyond the room is refused')
    const others = [look(other)]
    return { crowded, others }
  })
  assert.deepEqual(await Promise.all(waiting.others), [200])
  await Promise.all(waiting.crowded)
  assert.deepEqual(statuses.toSorted(), [200, 200, 200, 200, 503, 503, 503])
  assert.equal(await look(crowd), 200)
})

test('a dashboard takes as much room as it has widgets', async () => {
  const crowd = await foundOrganization(service, 'walls@example.test')
  const widgets = Array.from({ length: most - 1 }, () => ({ type: 'counts', ...place }))
  const statuses: number[] = []
  const open = await db.transaction(async (tx) => {
    await tx.query('lock table devices in access exclusive mode')
    const opened = Array.from({ length: 3 }, async () => {
      const answer = await service.call('POST', '/v1/dashboards/data', {
        as: crowd,
        body: { widgets, range: '24h' },
      })
      statuses.push(answer.status)
    })
    await until(() => statuses.length >= 1, 'the third of three dashboards is refused')
    return opened
  })
  await Promise.all(open)
  assert.deepEqual(statuses, [503, 200, 200])
})
