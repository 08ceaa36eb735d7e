import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { addType } from '../../../test/device-types.ts'
import { addDevice, euiOf } from '../../../test/fleet.ts'
import { joinMember } from '../../../test/members.ts'
import { startTestService } from '../../../test/service.ts'

/** What codecs find around them, on uplinks as they arrive: modules, variables, the time zone. */

const service = await startTestService({ after })
const { call } = service
const callback = await connectChirpStack(service)
let count = 0

async function addSender(codec: string) {
  count += 1
  const { id: deviceType } = await addType(service, { codec })
  const { id } = await addDevice(service, count, { deviceType })
  const eui = euiOf(count)
  return {
    path: `/v1/devices/${id}`,
    deviceType,
    async read(hex = '07') {
      const answer = await post(service, callback, makeUp({ eui, hex }))
      assert.equal(answer.status, 200, answer.text)
      const { body } = await call('GET', `/v1/devices/${id}/uplink`)
      return body.data[0]
    },
  }
}

test('an exported function reads uplinks', async () => {
  const { read } = await addSender(
    'export function decodeUplink(input) { return { data: { level: input.bytes[0] } } }',
  )
  assert.equal((await read()).decoded_object.level, 7)
})

test('a number that is none is kept as null, with a warning', async () => {
  const { read } = await addSender(
    'function decodeUplink(i) { return { data: { level: i.bytes[9] / 2, port: i.fPort } } }',
  )
  const { event_type, decoded_object, decoded_message } = await read()
  assert.deepEqual([event_type, decoded_object.level], ['DECODED', null])
  assert.match(decoded_message, /Warning: data\.level is NaN and is kept as null\./)
})

test('local times follow the time zone of the organization, from its change on', async () => {
  const { read } = await addSender(
    'function decodeUplink() { return { data: { month: new Date(1782900000000).getDate(), zone: -new Date(1782900000000).getTimezoneOffset() } } }',
  )
  assert.equal((await read()).decoded_object.zone, 0)
  const zone = (timezone_format: unknown) =>
    call('PATCH', '/v1/organization', { body: { timezone_format } })
  assert.equal((await zone('Asia/Kathmandu')).body.data.account.timezone_format, 'Asia/Kathmandu')
  assert.equal((await read()).decoded_object.zone, 345)
  const body = {
    payload_format: 'ts013',
    codec: 'function decodeUplink() { return { data: { zone: new Date(0).getHours() } } }',
    input: { hex: '00' },
  }
  const tried = await call('POST', '/v1/device-types/try', { body })
  assert.equal(tried.body.data.frame.uplink.decoded_object.zone, 5)
  for (const wrong of ['Mars/Olympus', '', null, 5, '+02:00']) {
    const answer = await zone(wrong)
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['timezone_format']])
  }
  await zone('UTC')
})

test('the variables of a device are the input of its codec, both ways', async () => {
  const { path, read, deviceType } = await addSender(`
    function decodeUplink(i) { return { data: { level: i.bytes[0] + Number(i.variables.offset || 0) } } }
    function encodeDownlink(i) { return { bytes: [Number(i.variables.offset || 0), i.data.a], fPort: 3 } }`)
  assert.deepEqual((await call('GET', `${path}/variables`)).body, { data: { variables: {} } })
  const body = { variables: { offset: '3' } }
  assert.deepEqual((await call('PUT', `${path}/variables`, { body })).body, { data: body })
  assert.deepEqual((await call('GET', `${path}/variables`)).body, { data: body })
  assert.equal((await read()).decoded_object.level, 10)
  const entered = { config_field: { islorawan: 1, config_type: 'sensor', codec_data: { a: 1 } } }
  const preview = await call('POST', `${path}/configure/preview`, { body: entered })
  assert.equal(preview.body.data.bytes, '0301')
  const replayed = await call('POST', `/v1/device-types/${deviceType}/try`, { body: { last: 5 } })
  assert.equal(replayed.body.data.changed, 0)
  const tried = { input: { hex: '01', variables: { offset: '9' } } }
  const frame = await call('POST', `/v1/device-types/${deviceType}/try`, { body: tried })
  assert.equal(frame.body.data.uplink.decoded_object.level, 10)
})

test('variables are kept from members who may not manage devices, and sealed', async () => {
  const { path } = await addSender('function decodeUplink() { return { data: {} } }')
  await call('PUT', `${path}/variables`, { body: { variables: { token: 'an-invented-token' } } })
  const as = await joinMember(service, 'reader@example.test')
  assert.equal((await call('GET', `${path}/variables`, { as })).status, 403)
  const stored = await service.services.db.query<{ text: string }>(
    `select encode(sealed_variables, 'escape') as text from devices where sealed_variables is not null`,
  )
  assert.ok(stored.length > 0)
  assert.ok(stored.every(({ text }) => !text.includes('an-invented-token')))
  for (const variables of [null, [], { a: 1 }, { '': 'x' }, { a: 'x'.repeat(1025) }]) {
    const answer = await call('PUT', `${path}/variables`, { body: { variables } })
    assert.equal(answer.status, 422, JSON.stringify(variables))
  }
  assert.equal((await call('PUT', `${path}/variables`, { body: { variables: {} } })).status, 200)
})
