import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const { db } = service.services

/** Resolves when this many statements wait for a lock. */
async function waitersReach(count: number): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ count: number }>(
      `select count(*) as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if ((row?.count ?? 0) >= count) return
    await sleep(10)
  }
}

test('an invitation may be sent again while it is accepted', async () => {
  const inviter = await foundOrganization(service, 'inviter@example.test')
  const person = await joinMember(service, 'person@example.test')
  const invite = () =>
    service.call('POST', '/v1/organizations', {
      as: inviter,
      body: { name: 'Child', owner: { email: 'person@example.test' } },
    })
  assert.equal((await invite()).status, 202)
  const received = '/v1/user/invitations'
  const [{ id }] = (await service.call('GET', received, { as: person })).body.data
  // Both begin while another transaction holds the row, and continue together.
  const [accepted, invited] = await db.transaction(async (tx) => {
    await tx.query('select 1 from invitations where id = $1 for update', [id])
    const accepting = service.call('POST', `${received}/${id}/accept`, { as: person })
    await waitersReach(1)
    const inviting = invite()
    await waitersReach(2)
    return [accepting, inviting].map((answer) => ({ answer }))
  })
  assert.equal((await accepted?.answer)?.status, 200)
  assert.equal((await invited?.answer)?.status, 202)
})
