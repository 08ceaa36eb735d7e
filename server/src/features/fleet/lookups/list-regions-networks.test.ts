import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { joinMember } from '../../../../test/members.ts'
import { publicUrl, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const member = await joinMember(service, 'ada@example.test')

// docs/contract.txt, 1.3 and 10.2.
const regions = [
  'US915',
  'EU868',
  'AU915',
  'AS923',
  'CN470',
  'EU433',
  'KR920',
  'RU864',
  'CN779',
  'IN865',
]
const networks: [number, string, string, boolean][] = [
  [2, 'machineq', 'Comcast machineQ', true],
  [4, 'senet', 'Senet', true],
  [5, 'thethingsnetwork', 'The Things Stack', true],
  [6, 'loriot', 'LORIOT', true],
  [3, 'aws_iot_core', 'AWS IoT Core', false],
  [7, 'kerlink', 'Kerlink Wanesy', true],
  [8, 'actility', 'Actility ThingPark', true],
  [9, 'everynet', 'Everynet', true],
  [10, 'chirpstack', 'ChirpStack v4', true],
]

// shows 1.3.1, 1.3.3, 1.3.4, 1.4.1, 1.4.2, 2.7.1-7, 4.9.1, 10.2.1-5, 10.2.8-11, 10.2.14
test('lists the regions and the nine networks, to any member', async () => {
  for (const path of ['/v1/device-regions-networks', '/v1/device-regions-networks/']) {
    const { status, body } = await service.call('GET', path, { as: member })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      regions,
      networks: networks.map(([id, key, name, is_lora]) => ({
        id,
        name,
        key,
        is_lora,
        register_methods: ['vendor', 'user_account'],
        is_active: true,
        image: `${publicUrl}/images/networks/${key}.svg`,
      })),
    })
  }
})
