import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const { call } = service
const path = '/v1/organization'

test('changes what is given and shows it to every member', async () => {
  const answer = await call('PATCH', path, { body: { name: ' Quay 12 ', address_line_1: 'Quay' } })
  assert.equal(answer.status, 200)
  const { name, address_line_1, address_line_2 } = answer.body.data
  assert.deepEqual([name, address_line_1, address_line_2], ['Quay 12', 'Quay', null])
  const as = await joinMember(service, 'reads@example.test')
  assert.deepEqual((await call('GET', path, { as })).body, answer.body)
})

test('removes an address line by null or blank text, and leaves the rest', async () => {
  await call('PATCH', path, { body: { address_line_1: 'a', address_line_2: 'b' } })
  const { body } = await call('PATCH', path, {
    body: { address_line_1: null, address_line_2: ' ' },
  })
  const { name, address_line_1, address_line_2 } = body.data
  assert.deepEqual([name, address_line_1, address_line_2], ['Quay 12', null, null])
})

test('refuses a blank and a long name', async () => {
  for (const name of ['', '  ', 'x'.repeat(256), null, 3]) {
    const answer = await call('PATCH', path, { body: { name } })
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['name']])
  }
})
