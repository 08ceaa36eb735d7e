import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addLocalDevice, euiOf, registrationOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { toStack } from '../../../../test/moves.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')
const third = await foundOrganization(service, 'cy@example.test')

const taken = ['The device id has already been taken.']

function moveToOperator(number: number, as: Login) {
  const body = { ...toStack, registerMethod: 'vendor' }
  return service.call('POST', `/v1/devices/${euiOf(number)}/move`, { as, body })
}

function registerAtOperator(number: number, as: Login) {
  const body = registrationOf(number, { ...toStack, registerMethod: 'vendor' })
  return service.call('POST', '/v1/devices', { as, body })
}

/** How many devices of any organization are at the operator's account, or on their way there. */
async function countAtOperator(number: number): Promise<number> {
  const [row] = await service.services.db.query<{ count: number }>(
    `select count(*) from devices
     where eui = $1 and deleted_at is null and 'vendor' in (register_method, other_method)`,
    [euiOf(number)],
  )
  return row?.count ?? 0
}

test('of moves of one EUI to the operator by several organizations at once exactly one begins', async () => {
  for (const number of [1, 2, 3, 4, 5]) {
    const sides = [service.owner, other, third]
    for (const as of sides) await addLocalDevice(service, number, {}, as)
    const answers = await Promise.all(sides.map((as) => moveToOperator(number, as)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422])
    for (const { status, body } of answers) {
      if (status === 422) assert.deepEqual(body.errors, { network: taken })
    }
    assert.equal(await countAtOperator(number), 1)
  }
})

test('a move and a registration of one EUI at the operator at once: exactly one is taken', async () => {
  for (const number of [11, 12, 13, 14, 15]) {
    await addLocalDevice(service, number, {}, other)
    const [moved, registered] = await Promise.all([
      moveToOperator(number, other),
      registerAtOperator(number, third),
    ])
    assert.deepEqual([moved.status, registered.status].sort(), [200, 422])
    const { body } = moved.status === 422 ? moved : registered
    const field = moved.status === 422 ? 'network' : 'deviceId'
    assert.deepEqual(body.errors, { [field]: taken })
    assert.equal(await countAtOperator(number), 1)
  }
})
