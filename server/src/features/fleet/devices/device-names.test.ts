import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { creation, done, refused, sendBatch, update } from '../../../../test/device-batches.ts'
import { addDevice, euiOf, readDevice, registrationOf } from '../../../../test/fleet.ts'
import { atNetwork, passTime, startConnected } from '../../../../test/network.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })

/** Network, what its form needs, the longest name, and what is said of a longer one. */
const longest: [key: string, id: number, changes: object, length: number, words: RegExp][] = [
  ['chirpstack', 10, {}, 100, /^The device name may not be greater than 100 characters at Chirp/],
  [
    'thethingsnetwork',
    5,
    { frequencyPlan: 'EU_863_870_TTN' },
    50,
    /^The device name may not be greater than 50 characters at The Things Stack/,
  ],
]

for (const [key, network, changes, length, words] of longest) {
  test(`a name that is too long for ${key} is 422 before anything is registered`, async () => {
    const tooLong = { network, ...changes, deviceName: 'é'.repeat(length + 1) }
    for (const action of ['validate', 'confirm']) {
      const body = registrationOf(network, { ...tooLong, action })
      const answer = await service.call('POST', '/v1/devices', { body })
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(Object.keys(answer.body.errors), ['deviceName'])
      assert.match(answer.body.message, words)
    }
    // Characters are counted, whatever they take in bytes or in UTF-16.
    const longest = '🚪'.repeat(length)
    await addDevice(service, network, { network, ...changes, deviceName: longest })
    const path = `/v1/devices/${euiOf(network)}`
    const body = { device_name: 'x'.repeat(length + 1) }
    const renamed = await service.call('PATCH', path, { body })
    assert.equal(renamed.status, 422, renamed.text)
    assert.match(renamed.body.errors.device_name[0], words)
    assert.equal((await readDevice(service, network)).device_name, longest)
  })

  test(`an item with such a name is refused in a batch at ${key}, and no other`, async () => {
    const number = 0x100 + network
    const tooLong = 'x'.repeat(length + 1)
    const data = { network: key, registerMethod: 'user_account', ...changes }
    const [bad, good, badRename, rename] = await sendBatch(service, [
      creation(number, { deviceName: tooLong }, data),
      creation(number + 0x100, {}, data),
      update(number + 0x100, tooLong),
      update(number + 0x100, 'x'.repeat(length)),
    ])
    assert.match(bad.errors[0], words)
    assert.deepEqual(badRename, refused(bad.errors[0]))
    assert.deepEqual(
      [good, rename],
      [done('added', number + 0x100), done('updated', number + 0x100)],
    )
  })
}

test('characters that AWS IoT Core for LoRaWAN does not take are named', async () => {
  const changes = { network: 3, frequencyPlan: 'EU868', deviceName: 'Door #1' }
  const answer = await service.call('POST', '/v1/devices', { body: registrationOf(77, changes) })
  assert.match(
    answer.body.errors.deviceName[0],
    /^The device name may not contain any of < > \^ # ~ \$ at AWS IoT Core for LoRaWAN\.$/,
  )
  await addDevice(service, 77, { network: 3, deviceName: 'Door #1' })
})

test('a device that no network is told of may have any name', async () => {
  const changes = { deviceName: 'x'.repeat(255), consoleOnly: true }
  const device = await addDevice(service, 78, changes)
  assert.equal(device.device_register_status, 'active')
  const body = { device_name: 'y'.repeat(255) }
  assert.equal((await service.call('PATCH', `/v1/devices/${euiOf(78)}`, { body })).status, 200)
})

test('a name that ChirpStack refuses all the same is only that device’s error', async (t) => {
  const { service, simulator } = await startConnected(t)
  simulator.faults.isAway = true
  for (const number of [1, 2, 3, 4, 5]) await addDevice(service, number)
  const tooLong = 'x'.repeat(101)
  await service.services.db.query('update devices set name = $1 where id < 5', [tooLong])
  simulator.faults.isAway = false
  await passTime(service)
  await passTime(service)
  for (const number of [1, 2, 3, 4]) {
    const { device_register_status, api_error_json } = await readDevice(service, number)
    assert.equal(device_register_status, 'register_error')
    assert.match(
      api_error_json,
      /^ChirpStack refused: value too long for type character varying\(100\)\.$/,
    )
  }
  assert.equal((await readDevice(service, 5)).device_register_status, 'active')
  const { body } = await service.call('GET', '/v1/network-accounts/chirpstack')
  assert.deepEqual([body.data.status, body.data.message], ['connected', ''])
  const rename = { device_name: 'Short' }
  await service.call('PATCH', `/v1/devices/${euiOf(1)}`, { body: rename })
  await passTime(service)
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
})

test('a rename that the network refuses leaves the device as it is, and says why', async (t) => {
  const { service, simulator } = await startConnected(t)
  await addDevice(service, 1)
  const rename = async (name: string) => {
    const body = { device_name: name }
    const answer = await service.call('PATCH', `/v1/devices/${euiOf(1)}`, { body })
    assert.equal(answer.status, 200, answer.text)
    await passTime(service)
  }
  const refusal = { code: 3, message: 'that name will not do' }
  simulator.faults.refusals['/api.DeviceService/Update'] = refusal
  await rename('Refused')
  const kept = await readDevice(service, 1)
  assert.equal(kept.device_register_status, 'active')
  assert.equal(kept.api_error_json, 'ChirpStack refused: that name will not do.')
  simulator.faults.refusals = {}
  await rename('Taken')
  const { device_register_status, api_error_json } = await readDevice(service, 1)
  assert.deepEqual([device_register_status, api_error_json], ['active', ''])
  assert.equal(atNetwork(simulator, 1)?.name, 'Taken')
})
