import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addType } from '../../../../test/device-types.ts'
import { addDevice, addLocalDevice } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import { deviceTypes } from '../../../sensors/index.ts'

const service = await startTestService({ after })
const callback = await connectChirpStack(service)
const eui = '00AA0000000000D1'

async function explain(body: Record<string, unknown>) {
  return service.call('POST', '/v1/frames/explain', { body })
}

async function send(to: string, hex: string, fCnt: number) {
  const { status } = await post(service, callback, makeUp({ eui: to, hex, fCnt }))
  assert.equal(status, 200)
}

async function listUplinks(device: string) {
  const { body } = await service.call('GET', `/v1/devices/${device}/uplink?itemsPerPage=1000`)
  return body.data
}

test('says what each byte of a frame means', async () => {
  const { status, body } = await explain({ device_type: 16, payload: '1A 03:01' })
  assert.equal(status, 200)
  const { parts, ...frame } = body.data
  assert.deepEqual(frame, {
    bytes: '1a0301',
    device_type: 16,
    format: 'built_in',
    event_type: 'DOOR_SENSOR',
    decoded_object: { eventDescription: 'Door Opened', state: 'open' },
    error: null,
  })
  assert.deepEqual(parts.at(-1), {
    start: 2,
    length: 1,
    bits: null,
    label: 'State',
    key: 'state',
    raw: '01',
    value: 'open',
    unit: null,
    meaning: 'Door Opened',
  })
})

test('tells why a frame cannot be read', async () => {
  const { body } = await explain({ device_type: deviceTypes[0]?.typeId, payload: '20ee00' })
  assert.equal(body.data.event_type, 'UNKNOWN')
  assert.match(body.data.error, /protocol version 2 is not known/)
  assert.deepEqual(body.data.parts.at(-1).label, 'Not decoded')
})

test('gives the result of a codec, and the fields of CayenneLPP', async () => {
  const type = await addType(service)
  const coded = await explain({ device_type: type.id, payload: '00d7', f_port: 9 })
  assert.deepEqual(coded.body.data.decoded_object, {
    eventDescription: 'temperature: 21.5, port: 9',
    temperature: 21.5,
    port: 9,
  })
  assert.deepEqual(
    coded.body.data.parts.map(({ label, raw }: Record<string, string>) => [label, raw]),
    [['Read by the codec', '00d7']],
  )
  const lpp = await addType(service, { codec: null, payload_format: 'cayenne_lpp' })
  const { body } = await explain({ device_type: lpp.id, payload: '03670110' })
  assert.deepEqual(body.data.parts[2].key, 'temperature_3')
  assert.equal(body.data.parts[2].value, 27.2)
})

test('refuses what is no frame and no type', async () => {
  const { status, body } = await explain({ device_type: 999, payload: '00' })
  assert.equal(status, 422)
  assert.deepEqual(body.errors, { device_type: ['The selected device type is invalid.'] })
  const wrong = await explain({ device_type: 16, payload: '0', f_port: 256 })
  assert.deepEqual(Object.keys(wrong.body.errors).sort(), ['f_port', 'payload'])
  const long = await explain({ device_type: 16, payload: '00'.repeat(256) })
  assert.equal(long.status, 422)
})

test('a type of another organization is no type', async () => {
  const stranger = await foundOrganization(service, 'frames@example.test')
  const type = await addType(service, {}, stranger)
  assert.equal((await explain({ device_type: type.id, payload: '00d7' })).status, 422)
})

test('finds every stored uplink of a device by its id', async () => {
  await addLocalDevice(service, eui)
  const other = '00AA0000000000D2'
  await addLocalDevice(service, other)
  for (let count = 0; count < 11; count += 1) {
    await send(eui, `1${count.toString(16)}0301`, count)
    if (count % 3 === 0) await send(other, `1${count.toString(16)}0300`, count)
  }
  const uplinks = await listUplinks(eui)
  assert.equal(uplinks.length, 11)
  for (const uplink of uplinks) {
    const { status, body } = await service.call(
      'GET',
      `/v1/devices/${eui}/uplinks/${uplink.id}/frame`,
    )
    assert.equal(status, 200)
    assert.equal(body.data.id, uplink.id)
    assert.equal(body.data.bytes, uplink.data)
    assert.equal(body.data.event_time, uplink.event_time)
    assert.equal(body.data.f_cnt, uplink.additional_data.f_cnt)
    assert.deepEqual(body.data.decoded_object, uplink.decoded_object)
  }
  const [foreign] = await listUplinks(other)
  for (const id of [foreign.id, 0, 'x', 999_999_999_999]) {
    const { status, body } = await service.call('GET', `/v1/devices/${eui}/uplinks/${id}/frame`)
    assert.equal(status, 404)
    assert.equal(body.message, 'Uplink not found')
  }
  const { id: silent } = await addDevice(service, 77)
  const none = await service.call('GET', `/v1/devices/${silent}/uplinks/1/frame`)
  assert.equal(none.status, 404)
})
