import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addType, thermometer } from '../../../../test/device-types.ts'
import { addDevice, euiOf } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'

/** PATCH, DELETE and try. */

const service = await startTestService({ after })
const callback = await connectChirpStack(service)
let devices = 0

async function addThermometer(changes: Record<string, unknown> = {}) {
  const type = await addType(service, changes)
  devices += 1
  const device = await addDevice(service, devices, { deviceType: type.id })
  const eui = euiOf(devices)
  const send = async (hex: string) => {
    const answer = await post(service, callback, makeUp({ eui, hex }))
    assert.equal(answer.status, 200, answer.text)
    const { body } = await service.call('GET', `/v1/devices/${device.id}/uplink`)
    return body.data[0]
  }
  return { type, device, send, path: `/v1/device-types/${type.id}` }
}

const inKelvin = thermometer.replace('/ 10', '/ 10 + 273')

// shows 11.6.10
test('keeps what is left out, and decodes what comes next with the new codec', async () => {
  const { path, send } = await addThermometer()
  assert.equal((await send('00d7')).decoded_object.temperature, 21.5)
  const answer = await service.call('PATCH', path, { body: { codec: inKelvin } })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.data.type_name, 'Freezer probe')
  assert.equal(answer.body.data.codec, inKelvin)
  assert.equal((await send('00d7')).decoded_object.temperature, 294.5)
  assert.equal((await service.call('GET', path)).body.data.codec, inKelvin)
})

test('tries each codec by itself, however many come at once', async () => {
  const { id } = await addType(service)
  const numbers = Array.from({ length: 12 }, (_, index) => index)
  const answers = await Promise.all(
    numbers.map((number) => {
      const codec = `function decodeUplink() { return { data: { number: ${number} } } }`
      const body = { input: { hex: '00' }, codec }
      return service.call('POST', `/v1/device-types/${id}/try`, { body })
    }),
  )
  assert.deepEqual(
    answers.map(({ body }) => body.data.output.data.number),
    numbers,
  )
})

test('runs the stored examples when the codec changes', async () => {
  const example = { input: { hex: '00d7' }, output: { data: { temperature: 21.5, port: 1 } } }
  const { path } = await addThermometer({ examples: [example] })
  const { body } = await service.call('PATCH', path, { body: { codec: inKelvin } })
  assert.deepEqual(body.data.example_results[0].differences, [
    { path: 'data.temperature', before: 21.5, after: 294.5 },
  ])
})

test('gives the codec up for CayenneLPP, and asks for one on the way back', async () => {
  const { path, send } = await addThermometer()
  const { body } = await service.call('PATCH', path, { body: { payload_format: 'cayenne_lpp' } })
  assert.equal(body.data.codec, null)
  assert.equal((await send('036700d7')).decoded_object.temperature_3, 21.5)
  const back = await service.call('PATCH', path, { body: { payload_format: 'ts013' } })
  assert.deepEqual(back.body.errors, { codec: ['The codec field is required.'] })
})

// shows 11.6.5
test('refuses a codec that does not parse, and keeps the old one', async () => {
  const { path } = await addThermometer()
  const answer = await service.call('PATCH', path, { body: { codec: 'let a; let a' } })
  assert.equal(answer.status, 422)
  assert.match(answer.body.errors.codec[0], /^SyntaxError: /)
  assert.equal((await service.call('GET', path)).body.data.codec, thermometer)
})

// shows 11.6.10
test('is not deleted while a device has it', async () => {
  const { path, device, type } = await addThermometer()
  const refusal = await service.call('DELETE', path)
  assert.equal(refusal.status, 422)
  assert.deepEqual(refusal.body.errors, { id: ['The device type is in use by 1 device.'] })
  assert.equal((await service.call('DELETE', `/v1/devices/${device.id}`)).status, 204)
  assert.equal((await service.call('DELETE', path)).status, 204)
  assert.equal((await service.call('GET', path)).status, 404)
  const { body } = await service.call('GET', '/v1/get-device-types?itemsPerPage=1000')
  assert.ok(!body.data.some(({ id }: { id: number }) => id === type.id))
})

// shows 11.6.11
test('tries a codec on a frame and stores nothing', async () => {
  const { path } = await addThermometer()
  const input = { hex: '00d7', fPort: 2 }
  const saved = await service.call('POST', `${path}/try`, { body: { input } })
  assert.deepEqual(saved.body.data, {
    output: { data: { temperature: 21.5, port: 2 } },
    error: null,
    uplink: {
      event_type: 'DECODED',
      decoded_object: {
        eventDescription: 'temperature: 21.5, port: 2',
        temperature: 21.5,
        port: 2,
      },
      decoded_message: 'temperature: 21.5<br>port: 2',
    },
  })
  const body = { input, codec: 'function decodeUplink() { throw new Error("broken") }' }
  const other = await service.call('POST', `${path}/try`, { body })
  assert.equal(other.body.data.error, 'Error: broken')
  assert.equal(other.body.data.uplink.event_type, 'UNKNOWN')
  assert.equal((await service.call('GET', path)).body.data.codec, thermometer)
})

test('tries the functions of downlinks', async () => {
  const codec = `function encodeDownlink(input) { return { bytes: [input.data.on ? 1 : 0], fPort: 7 } }
    function decodeDownlink(input) { return { data: { on: input.bytes[0] === 1 } } }`
  const { path } = await addThermometer({ codec })
  const call = async (name: string, input: object) => {
    const body = { function: name, input }
    return (await service.call('POST', `${path}/try`, { body })).body.data
  }
  assert.deepEqual(await call('encodeDownlink', { data: { on: true } }), {
    output: { bytes: [1], fPort: 7 },
    error: null,
    uplink: null,
  })
  assert.deepEqual((await call('decodeDownlink', { bytes: [1] })).output, { data: { on: true } })
})

// shows 11.6.11
test('tells what another codec would make of the latest uplinks', async () => {
  const { path, send } = await addThermometer()
  await send('00d7')
  const unchanged = await send('0000')
  const codec = thermometer.replace('/ 10', '* (input.bytes[1] ? 1 : 0) / 5')
  const body = { last: 100, codec }
  const { body: answer } = await service.call('POST', `${path}/try`, { body })
  const { uplinks, changed } = answer.data
  assert.equal(changed, 1)
  assert.equal(uplinks.length, 2)
  assert.equal(uplinks[0].id, unchanged.id)
  assert.deepEqual(uplinks[0].differences, [])
  const paths = uplinks[1].differences.map(({ path }: { path: string }) => path)
  assert.deepEqual(paths.sort(), ['decoded_object.eventDescription', 'decoded_object.temperature'])
  const one = await service.call('POST', `${path}/try`, { body: { last: 1 } })
  assert.equal(one.body.data.uplinks.length, 1)
  assert.equal(one.body.data.changed, 0)
})

test('asks for a frame or a number of uplinks', async () => {
  const { path } = await addThermometer()
  for (const body of [{}, { input: { hex: '00' }, last: 1 }]) {
    const answer = await service.call('POST', `${path}/try`, { body })
    assert.deepEqual(answer.body.errors, { input: ['Either input or last is required.'] })
  }
  const answer = await service.call('POST', `${path}/try`, { body: { last: 101 } })
  assert.deepEqual(answer.body.errors, { last: ['The last must be an integer from 1 to 100.'] })
})
