import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const path = '/v1/organization/first-steps'

test('steps that are passed over are those of the organization, for all its members', async () => {
  const { owner } = service
  const other = await foundOrganization(service, 'steps@example.test')
  const member = await joinMember(service, 'viewer@example.test', [])
  for (const step of ['devices', 'network', 'devices']) {
    const { status, text } = await service.call('POST', path, { as: owner, body: { step } })
    assert.equal(status, 200, text)
  }
  const read = async (as: typeof owner) => (await service.call('GET', path, { as })).body.data
  assert.deepEqual(await read(member), { passed: ['network', 'devices'] })
  assert.deepEqual(await read(other), { passed: [] })
  const refused = await service.call('POST', path, { as: member, body: { step: 'people' } })
  assert.equal(refused.status, 403)
  const wrong = await service.call('POST', path, { as: owner, body: { step: 'lunch' } })
  assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['step']])
})
