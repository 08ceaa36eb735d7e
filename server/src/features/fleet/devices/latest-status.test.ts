import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const callback = await connectChirpStack(service)
const other = await foundOrganization(service, 'other@example.test')
const heard = '00AA000000000001'
const silent = '00AA000000000002'
await addLocalDevice(service, heard)
await addLocalDevice(service, silent)
const time = '2026-03-01T11:59:07.775023Z'
await post(service, callback, makeUp({ eui: heard, time, fCnt: 1 }))

test('tells the latest status of each device by its EUI', async () => {
  const { status, body } = await service.call('GET', '/v1/get-devices-summary?page=1')
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body.data), [heard, silent])
  const { last_seen, rssi, snr, measurement, last_downlink_status } = body.data[heard]
  const uplinks = await service.call('GET', `/v1/fleet/devices/${heard}`)
  assert.equal(last_seen, String(Math.floor(Date.parse(time) / 1000)))
  assert.deepEqual({ rssi, snr }, { rssi: uplinks.body.data.rssi, snr: uplinks.body.data.snr })
  assert.equal(typeof rssi, 'number')
  assert.equal(last_downlink_status, null)
  assert.ok(measurement === null || / /.test(measurement))
  assert.equal(body.data[silent].last_seen, '--')
  assert.equal(body.data[silent].rssi, null)
  assert.deepEqual(body.payload, { page: '1', itemsPerPage: '100' })
  assert.match(body.links.first, /get-devices-summary\?page=1$/)
  assert.equal('meta' in body, false)
})

test('its status is that of the device', async () => {
  const { body } = await service.call('GET', '/v1/get-devices-summary')
  const device = await service.call('GET', `/v1/devices/${heard}`)
  for (const [name, value] of Object.entries(device.body.data.device_status)) {
    assert.equal(body.data[heard][name], value, name)
  }
})

test('a page is a part, and links lead to the others', async () => {
  const { body } = await service.call('GET', '/v1/get-devices-summary?page=2&itemsPerPage=1')
  assert.deepEqual(Object.keys(body.data), [silent])
  assert.equal(body.links.next, null)
  assert.match(body.links.prev, /itemsPerPage=1&page=1$/)
})

test('a POST names the devices, in any case', async () => {
  const ask = (devices: unknown, as = service.owner) =>
    service.call('POST', '/v1/get-devices-summary', { as, body: { devices } })
  const chosen = await ask([silent.toLowerCase(), '00AA00000000FFFF'])
  assert.deepEqual(Object.keys(chosen.body.data), [silent])
  assert.match(chosen.body.links.last, /page=1$/)
  assert.deepEqual((await ask([])).body.data, {})
  assert.deepEqual(Object.keys((await ask(undefined)).body.data), [heard, silent])
  assert.deepEqual((await ask([heard], other)).body.data, {})
  const wrong = await ask(['00AA'])
  assert.equal(wrong.status, 422)
  assert.deepEqual(wrong.body.errors, {
    'devices.0': ['The device EUI must be 16 characters.'],
  })
})
