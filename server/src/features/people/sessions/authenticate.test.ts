import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import { permissions } from '../../../http/endpoint.ts'
import { HttpError } from '../../../http/errors.ts'
import { admit, createFindAdmission } from './authenticate.ts'

const service = await startTestService({ after })
const findAdmission = createFindAdmission(service.services)
const accesses = ['signed-in', ...permissions]

function isAllowed(token: string, access: string): Promise<boolean> {
  return admit(findAdmission, token, 1, { access, operation: '', spend: () => {} }).then(
    () => true,
    (error) => {
      assert.ok(error instanceof HttpError)
      assert.equal(error.status, 403)
      assert.equal(error.message, `You do not have the permission ${access}.`)
      return false
    },
  )
}

async function allowedTo(token: string): Promise<string[]> {
  const allowed: string[] = []
  for (const access of accesses) if (await isAllowed(token, access)) allowed.push(access)
  return allowed
}

test('lets an owner do everything', async () => {
  assert.deepEqual(await allowedTo(service.owner.token), accesses)
})

test('lets a member without permissions read', async () => {
  const { token } = await joinMember(service, 'reader@example.test')
  assert.deepEqual(await allowedTo(token), ['signed-in'])
})

for (const permission of permissions) {
  test(`lets a member with ${permission} do that and no more`, async () => {
    const { token } = await joinMember(service, `${permission}@example.test`, [permission])
    assert.deepEqual(await allowedTo(token), ['signed-in', permission])
  })
}

test('lets nobody through an access that is no permission', async () => {
  const { token } = await joinMember(service, 'all@example.test', permissions)
  assert.equal(await isAllowed(token, 'manage_everything'), false)
  assert.equal(await isAllowed(service.owner.token, 'manage_everything'), false)
})

test('says who is calling', async () => {
  const { token, userId } = await joinMember(service, 'who@example.test', ['manage_devices'])
  const caller = await admit(findAdmission, token, 1, {
    access: 'signed-in',
    operation: '',
    spend: () => {},
  })
  assert.equal(caller.userId, userId)
  assert.equal(caller.organizationId, 1)
  assert.equal(caller.isOwner, false)
  assert.deepEqual(caller.permissions, ['manage_devices'])
  assert.equal(caller.tokenHash.length, 32)
})
