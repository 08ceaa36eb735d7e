import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization } from '../../test/members.ts'
import { startTestService } from '../../test/service.ts'
import { until } from '../../test/until.ts'
import { mostHandled } from './request-shares.ts'

const service = await startTestService({ after })
const { db } = service.services

test('more requests at once than a process handles get 503 at once, and others have room', async () => {
  const [crowd, other] = [
    await foundOrganization(service, 'crowd@example.test'),
    await foundOrganization(service, 'other@example.test'),
  ]
  const beyond = 20
  const statuses: number[] = []
  const list = async (as: typeof crowd) => {
    const { status, headers } = await service.call('GET', '/v1/devices', { as })
    if (status === 503) assert.equal(headers['retry-after'], '1')
    return status
  }
  const { crowded, others } = await db.transaction(async (tx) => {
    await tx.query('lock table devices in access exclusive mode')
    const crowded = Array.from({ length: mostHandled + beyond }, async () => {
      statuses.push(await list(crowd))
    })
    await until(() => statuses.length >= beyond, 'what is beyond the room is refused')
    return { crowded, others: Array.from({ length: 10 }, () => list(other)) }
  })
  assert.deepEqual(new Set(await Promise.all(others)), new Set([200]))
  await Promise.all(crowded)
  const refused = statuses.filter((status) => status === 503)
  assert.equal(refused.length, beyond)
  assert.equal(statuses.filter((status) => status === 200).length, mostHandled)
  assert.equal(await list(crowd), 200)
})
