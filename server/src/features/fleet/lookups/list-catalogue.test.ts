import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addType } from '../../../../test/device-types.ts'
import { addDevice } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })

async function get(path: string) {
  const answer = await service.call('GET', `/v1/catalogue${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('lists all types, own ones first, with an example taken apart', async () => {
  const own = await addType(service)
  const { data, total } = await get('')
  assert.equal(total, data.length)
  assert.deepEqual([data[0].id, data[0].is_own, data[0].format], [own.id, true, 'ts013'])
  const door = data.find(({ id }: { id: number }) => id === 16)
  assert.deepEqual(door.events, ['DOOR_SENSOR'])
  assert.deepEqual(door.measures, [{ key: 'state', label: 'Door', kind: 'state', unit: null }])
  assert.deepEqual([data[0].maker, door.maker], [null, 'Radio Bridge'])
  assert.equal(door.example.frame.parts.at(-1).meaning, 'Door Opened')
  for (const type of data.slice(1)) assert.ok(type.example.frame.parts.length > 2, type.type_name)
})

test('counts the devices of each type', async () => {
  await addDevice(service, 1)
  const { data } = await get('')
  const counts = data.filter(({ devices }: { devices: number }) => devices > 0)
  assert.deepEqual(
    counts.map(({ id, devices }: { id: number; devices: number }) => [id, devices]),
    [[16, 1]],
  )
})

test('shows layout, examples and settings of every type', async () => {
  const { data } = await get('')
  for (const { id, is_own } of data) {
    const { data: type } = await get(`/${id}`)
    assert.equal(type.settings.length, 3)
    if (is_own) continue
    assert.ok(type.messages.some(({ is_common }: { is_common: boolean }) => !is_common))
    for (const message of type.messages) {
      assert.ok(message.examples.length > 0, message.event_type)
      for (const { frame } of message.examples) assert.equal(frame.error, null)
    }
  }
  const { status } = await service.call('GET', '/v1/catalogue/99')
  assert.equal(status, 404)
})
