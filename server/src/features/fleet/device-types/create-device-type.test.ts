import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addType, thermometer } from '../../../../test/device-types.ts'
import { addDevice, registrationOf } from '../../../../test/fleet.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import { deviceTypes, firstCustomTypeId } from '../../../sensors/index.ts'

const service = await startTestService({ after })
const url = '/v1/device-types'
const other = await foundOrganization(service, 'other@example.test')

// shows 11.6.1
test('answers the type, whose id no built-in type has', async () => {
  const data = await addType(service)
  assert.ok(data.id >= firstCustomTypeId)
  assert.ok(deviceTypes.every(({ typeId }) => typeId < firstCustomTypeId))
  assert.deepEqual(data, {
    id: data.id,
    type_name: 'Freezer probe',
    part_number: 'FP-1',
    full_name: 'FP-1 - Freezer probe',
    payload_format: 'ts013',
    created_at: '2026-03-01T12:00:00.000000Z',
    updated_at: '2026-03-01T12:00:00.000000Z',
    codec: thermometer,
    examples: [],
    measurements: [],
    example_results: [],
    catalogue: null,
  })
})

test('a codec without decodeUplink is taken, with a warning that says what is missing', async () => {
  const body = { type_name: 'Old probe', part_number: 'OP-1', payload_format: 'ts013' }
  const save = async (codec: string) => {
    const made = await service.call('POST', url, { body: { ...body, codec } })
    assert.equal(made.status, 201, made.text)
    const changed = await service.call('PATCH', `${url}/${made.body.data.id}`, { body: { codec } })
    assert.deepEqual(changed.body.warnings, made.body.warnings)
    return made.body.warnings
  }
  const fate = 'Uplinks are kept as UNKNOWN.'
  assert.deepEqual(await save('function Decoder(bytes, port) { return { a: bytes[0] } }'), [
    'The codec has no function decodeUplink(input). Its Decoder(bytes, port), the form of The Things Stack v2, is called in its place.',
  ])
  assert.deepEqual(await save('function Decode(fPort, bytes) { return { a: bytes[0] } }'), [
    'The codec has no function decodeUplink(input). Its Decode(fPort, bytes, variables), the form of ChirpStack v3, is called in its place.',
  ])
  assert.deepEqual(await save('function encodeDownlink(input) { return { bytes: [1] } }'), [
    `The codec has no function decodeUplink(input). ${fate}`,
  ])
  assert.deepEqual(await save('throw new Error("not today")'), [
    `The codec cannot be loaded. ${fate}`,
  ])
  assert.equal(await save(thermometer), undefined)
})

// shows 11.6.3
test('the type is in the catalogue and the form of its organization, and of no other', async () => {
  const { id } = await addType(service, { type_name: 'Catalogued' })
  const find = async (as = service.owner) => {
    const list = await service.call('GET', '/v1/get-device-types?itemsPerPage=1000', { as })
    const form = await service.call('GET', '/v1/configurations?type=device&network=chirpstack', {
      as,
    })
    assert.equal(form.status, 200, form.text)
    return {
      listed: list.body.data.find((type: { id: number }) => type.id === id),
      choice: form.body.form.fields.deviceTypeId.values[id],
    }
  }
  assert.deepEqual(await find(), {
    listed: { id, type_name: 'Catalogued', part_number: 'FP-1', full_name: 'FP-1 - Catalogued' },
    choice: 'FP-1 - Catalogued',
  })
  assert.deepEqual(await find(other), { listed: undefined, choice: undefined })
})

// shows 11.6.3
test('devices are registered with it, only in its organization', async () => {
  const { id } = await addType(service)
  const device = await addDevice(service, 1, { deviceType: id })
  assert.equal(device.deviceTypeId, id)
  assert.equal(device.device_type_name, 'FP-1 - Freezer probe')
  for (const [as, deviceType] of [
    [other, id],
    [service.owner, id + 1000],
  ] as const) {
    const body = registrationOf(2, { deviceType })
    const answer = await service.call('POST', '/v1/devices', { as, body })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, {
      deviceType: ['The selected device type is invalid.'],
    })
  }
})

test('devices are registered with it in a batch', async () => {
  const { id } = await addType(service)
  const item = (number: number, deviceTypeId: number) => {
    const { deviceName, deviceId, deviceKey } = registrationOf(number)
    const provisioningData = {
      network: 'chirpstack',
      registerMethod: 'vendor',
      deviceKey,
      deviceTypeId,
      joinEui: '0000000000000000',
    }
    return { action: 'create', deviceName, deviceId, provisioningData }
  }
  const body = { devices: [item(11, id), item(12, id + 1000)] }
  const answer = await service.call('POST', '/v1/batch-device-requests', { body })
  assert.deepEqual(
    answer.body.data.map((entry: { errors?: string[] }) => entry.errors),
    [undefined, ['The selected device type is invalid.']],
  )
})

// shows 11.6.2
test('takes CayenneLPP without a codec', async () => {
  const data = await addType(service, { payload_format: 'cayenne_lpp', codec: null })
  assert.equal(data.codec, null)
})

// shows 11.6.5
test('takes a codec that parses, whatever it does later', async () => {
  for (const codec of ['while (true) {}', 'throw 1', 'var nothing', ' // empty']) {
    assert.equal((await addType(service, { codec })).codec, codec)
  }
})

test('judges each codec by its own source, however many come at once', async () => {
  const codecs = Array.from({ length: 12 }, (_, index) =>
    index % 2 === 0 ? `${thermometer} // ${index}` : `function ( // ${index}`,
  )
  const answers = await Promise.all(
    codecs.map((codec) =>
      service.call('POST', url, { body: { type_name: 'A', payload_format: 'ts013', codec } }),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    codecs.map((_codec, index) => (index % 2 === 0 ? 201 : 422)),
  )
})

test('takes a codec that changes how every object becomes JSON', async () => {
  const codec = `Object.prototype.toJSON = () => null; ${thermometer}`
  const examples = [{ input: { hex: '00d7' }, output: { data: { temperature: 21.5, port: 1 } } }]
  const { example_results } = await addType(service, { codec, examples })
  assert.deepEqual(example_results[0].output, { data: null })
  assert.equal(example_results[0].passed, false)
})

// shows 11.6.4
test('takes 256 kB of source and not more', async () => {
  const ofLength = (length: number) => thermometer.padEnd(length, ' ')
  const { codec } = await addType(service, { codec: ofLength(262_144) })
  assert.equal(codec.length, 262_144)
  const body = { type_name: 'A', payload_format: 'ts013', codec: ofLength(262_145) }
  const answer = await service.call('POST', url, { body })
  assert.deepEqual(answer.body.errors, {
    codec: ['The codec may not have more than 262144 bytes.'],
  })
})

const invalid: [string, object, Record<string, string[]>][] = [
  [
    'everything that is missing',
    {},
    {
      type_name: ['The type name field is required.'],
      payload_format: ['The payload format field is required.'],
    },
  ],
  [
    'a codec that does not parse, with the words of the engine and the line, and the rest',
    { payload_format: 'ts013', codec: 'var a = 1\nfunction (' },
    {
      type_name: ['The type name field is required.'],
      codec: ['SyntaxError: function name expected (line 2)'],
    },
  ],
  [
    'no codec where one is needed',
    { type_name: 'A', payload_format: 'ts013', codec: null },
    { codec: ['The codec field is required.'] },
  ],
  [
    'a codec where none is',
    { type_name: 'A', payload_format: 'cayenne_lpp', codec: 'var a' },
    { codec: ['The payload format cayenne_lpp takes no codec.'] },
  ],
  [
    'an unknown format',
    { type_name: 'A', payload_format: 'lua' },
    { payload_format: ['The payload format must be one of: ts013, cayenne_lpp.'] },
  ],
  [
    'an example without its frame in hexadecimal',
    {
      type_name: 'A',
      payload_format: 'cayenne_lpp',
      examples: [{ input: { hex: '0' }, output: {} }],
    },
    { 'examples.0.input.hex': ['The hex must be whole bytes in hexadecimal.'] },
  ],
]
for (const [name, body, errors] of invalid) {
  test(`complains about ${name}`, async () => {
    const answer = await service.call('POST', url, { body })
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message: Object.values(errors)[0]?.[0], errors })
  })
}

// shows 11.6.12
test('runs the examples and tells how each went; a failing one stops nothing', async () => {
  const { example_results: results } = await addType(service, {
    examples: [
      {
        description: 'Warm',
        input: { hex: '00d7' },
        output: { data: { temperature: 21.5, port: 1 }, errors: [] },
      },
      {
        description: 'Cold',
        input: { bytes: [0, 10], fPort: 3 },
        output: { data: { temperature: 2, port: 3 } },
      },
      { function: 'encodeDownlink', input: { data: {} }, output: { bytes: [1] } },
    ],
  })
  assert.deepEqual(results, [
    {
      description: 'Warm',
      passed: true,
      output: { data: { temperature: 21.5, port: 1 } },
      error: null,
      differences: [],
    },
    {
      description: 'Cold',
      passed: false,
      output: { data: { temperature: 1, port: 3 } },
      error: null,
      differences: [{ path: 'data.temperature', before: 2, after: 1 }],
    },
    {
      description: null,
      passed: false,
      output: null,
      error: 'The codec has no function encodeDownlink.',
      differences: [],
    },
  ])
})

// shows 11.6.9
test('has no small limit on how many there are', async () => {
  const made = []
  for (let number = 0; number < 60; number += 1) {
    made.push(
      (
        await addType(service, {
          type_name: `Type ${number}`,
          payload_format: 'cayenne_lpp',
          codec: null,
        })
      ).id,
    )
  }
  assert.equal(new Set(made).size, 60)
  const { body } = await service.call('GET', `${url}?itemsPerPage=1000`)
  const ids = new Set(body.data.map(({ id }: { id: number }) => id))
  assert.ok(made.every((id) => ids.has(id)))
  assert.equal(body.meta.total, ids.size)
})

test('needs manage_devices', async () => {
  const reader = await joinMember(service, 'reader@example.test', ['manage_groups'])
  const body = { type_name: 'A', payload_format: 'cayenne_lpp' }
  assert.equal((await service.call('POST', url, { as: reader, body })).status, 403)
  assert.equal((await service.call('GET', url, { as: reader })).status, 200)
})
