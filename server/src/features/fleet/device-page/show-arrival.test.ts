import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addDevice, euiOf } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })

test('shows the first join and the first uplink of a device, when they have come', async () => {
  const callback = await connectChirpStack(service)
  await addDevice(service, 1)
  const read = async () => {
    const answer = await service.call('GET', `/v1/fleet/devices/${euiOf(1)}/arrival`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  const before = await read()
  assert.deepEqual([before.joined_at, before.first_uplink], [null, null])
  const join = { deviceInfo: { devEui: euiOf(1) }, time: '2026-03-01T11:59:00.000000+00:00' }
  await post(service, callback, { deduplicationId: 'join', ...join }, { event: 'join' })
  for (const time of ['2026-03-01T11:59:30+00:00', '2026-03-01T11:59:45+00:00']) {
    const { status } = await post(service, callback, { ...makeUp({ eui: euiOf(1) }), time })
    assert.equal(Math.floor(status / 100), 2)
  }
  const { joined_at, first_uplink } = await read()
  assert.equal(joined_at, '2026-03-01T11:59:00.000000Z')
  assert.equal(first_uplink.time, '2026-03-01T11:59:30.000000Z')
})
