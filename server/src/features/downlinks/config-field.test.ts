import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  addBenchDevice,
  atNetwork,
  configure,
  readHistory,
  startBench,
} from '../../../test/downlinks.ts'
import { joinMember } from '../../../test/members.ts'
import type { Login } from '../../../test/service.ts'

const bench = await startBench({ after })
const { eui } = await addBenchDevice(bench, 1)
/** Without settings of its own that are published. */
const weatherStation = await addBenchDevice(bench, 2, { deviceType: 60 })

const sensor = { islorawan: 1, config_type: 'sensor' }
const general = { islorawan: 1, config_type: 'general' }
const advanced = { islorawan: 1, config_type: 'advanced' }

const accepted: readonly [string, object, string][] = [
  ['nothing but the section', general, '0100021300000000'],
  ['a bare number', { ...general, supervisory_period: 129 }, '0100028100000000'],
  ['text, as a form sends it', { ...general, supervisory_period: '129' }, '0100028100000000'],
  [
    'empty values as unset',
    { ...general, supervisory_period: '', uplink_retries: ' ', sampling_rate: null },
    '0100021300000000',
  ],
  [
    'values of the other sections, which do not count',
    {
      ...general,
      port_number: 10_000,
      rejoin_period: 'never',
      301: { group: 'x' },
      1: { main: 2 },
    },
    '0100021300000000',
  ],
  [
    'sensor fields in their wrappers, the second in seconds',
    { ...sensor, 301: { group: 1 }, 302: { main: 2.5 }, 303: { main: '' } },
    '0301000a00000000',
  ],
  [
    'sensor fields of another device type that are empty',
    { ...sensor, 1: { main: '' }, 301: { group: '1' } },
    '0301000000000000',
  ],
  ['islorawan as text', { ...advanced, islorawan: '1', port_number: '10' }, 'fc000a0000000000'],
  ['no islorawan', { config_type: 'advanced' }, 'fc00000000000000'],
]
for (const [about, field, bytes] of accepted) {
  // shows 4.16.4, 4.16.5, 10.8.1
  test(`accepts ${about}`, async () => {
    const answer = await configure(bench, eui, field)
    assert.deepEqual([answer.status, answer.body.status], [200, true], answer.text)
    assert.equal(atNetwork(bench, eui).at(-1), bytes)
  })
}

// shows 4.16.2, 4.16.6
test('takes every member of the contract, with a value or empty', async () => {
  const names = [
    'supervisory_period',
    'sampling_rate',
    'sampling_rate_ms',
    'sampling_period',
    'uplink_retries',
    'port_number',
    'rejoin_period',
  ]
  const unset = Object.fromEntries(names.map((name) => [name, '']))
  const fields = { islorawan: 1, 301: { group: 1 }, 302: { main: 2.5 }, 303: { main: '' } }
  for (const config_type of ['sensor', 'general', 'advanced']) {
    const answer = await configure(bench, eui, { ...fields, config_type, ...unset })
    assert.deepEqual([answer.status, answer.body.status], [200, true], answer.text)
  }
  const values: [object, string][] = [
    [{ ...general, supervisory_period: 129, uplink_retries: 2 }, '0100088100000000'],
    [{ ...general, sampling_rate: 30, sampling_period: 1 }, '010002135e000000'],
    [{ ...general, sampling_rate_ms: 3, sampling_period: 0 }, '0100021303000000'],
    [{ ...advanced, port_number: 10, rejoin_period: 24 }, 'fc000a1800000000'],
  ]
  const given = new Set(values.flatMap(([value]) => Object.keys(value)))
  assert.deepEqual(
    names.filter((name) => !given.has(name)),
    [],
  )
  for (const [value, bytes] of values) {
    const answer = await configure(bench, eui, { ...unset, ...value })
    assert.deepEqual([answer.status, answer.body.status], [200, true], answer.text)
    assert.equal(atNetwork(bench, eui).at(-1), bytes)
  }
})

const nothingSet = {
  config_field: 'The sensor configuration is empty: set at least one field.',
}

const refused: readonly [string, unknown, Record<string, string>][] = [
  ['no field at all', undefined, { config_field: 'The config field is required.' }],
  ['text', 'general', { config_field: 'The config field must be an object.' }],
  ['a list', [], { config_field: 'The config field must be an object.' }],
  ['no section', {}, { 'config_field.config_type': 'The config type field is required.' }],
  [
    'an unknown section',
    { config_type: 'other', islorawan: 'yes' },
    {
      'config_field.islorawan': 'The islorawan must be an integer.',
      'config_field.config_type': 'The config type must be one of: sensor, general, advanced.',
    },
  ],
  [
    'several wrong values, all named at once',
    { ...general, supervisory_period: 300, sampling_rate: 'x', color: 'red' },
    {
      'config_field.color': 'This type of device has no setting "color".',
      'config_field.supervisory_period': 'Supervisory period must be one of the values offered.',
      'config_field.sampling_rate': 'Sampling rate must be a number.',
    },
  ],
  [
    'a value between two steps, and a sensor field of another device type',
    { ...sensor, 1: { group: 1 }, 302: { main: 0.3 } },
    {
      'config_field.1': 'This type of device has no setting "1".',
      'config_field.302.main':
        'Hold time of opened must be in steps of 0.25 s; the nearest are 0.25 and 0.5.',
    },
  ],
  [
    'data for a codec, which a built-in type has not',
    { ...sensor, codec_data: { interval: 5 } },
    { 'config_field.codec_data': 'This type of device has no setting "codec_data".' },
  ],
  [
    'a wrapper where the form has none',
    { ...general, supervisory_period: { main: 129 } },
    { 'config_field.supervisory_period': 'Supervisory period must be a number.' },
  ],
  [
    'a wrapper in a wrapper',
    { ...sensor, 302: { main: { main: 1 } } },
    { 'config_field.302.main': 'Hold time of opened must be a number.' },
  ],
  [
    'fields below a member that is none',
    { ...sensor, nonsense: { 302: 7 } },
    { 'config_field.nonsense': 'This type of device has no setting "nonsense".' },
  ],
  [
    'fields below the name of a wrapper',
    { ...sensor, main: { 302: 5 }, 301: { group: 1 } },
    { 'config_field.main': 'This type of device has no setting "main".' },
  ],
  [
    'the wrapper of another field, and one beside the right one',
    { ...sensor, 302: { group: 5 }, 303: { main: 1, group: '' }, 301: {} },
    {
      'config_field.301': 'Disabled events must be an object with the member "group".',
      'config_field.302.group': 'Hold time of opened has no "group"; its value is sent as "main".',
      'config_field.303.group': 'Hold time of closed has no "group"; its value is sent as "main".',
    },
  ],
  [
    'sensor fields without a wrapper, also in another section',
    { ...general, 301: 1, 302: '' },
    {
      'config_field.301': 'Disabled events must be an object with the member "group".',
      'config_field.302': 'Hold time of opened must be an object with the member "main".',
    },
  ],
  [
    'an unknown member in another section, and values there that are none',
    { ...advanced, colour: '', sampling_rate: [30], 1: 2 },
    {
      'config_field.1': 'This type of device has no setting "1".',
      'config_field.colour': 'This type of device has no setting "colour".',
      'config_field.sampling_rate': 'Sampling rate must be a number.',
    },
  ],
  ['a sensor section without a field', sensor, nothingSet],
  [
    'a sensor section in which nothing is set',
    {
      ...sensor,
      1: { main: '' },
      301: { group: '' },
      302: { main: ' ' },
      303: null,
      sampling_rate: 5,
    },
    nothingSet,
  ],
  [
    'lists for values, the empty one too',
    { ...general, supervisory_period: [129], uplink_retries: [], dis: { main: [1] } },
    {
      'config_field.dis': 'Disable all events must be a number.',
      'config_field.supervisory_period': 'Supervisory period must be a number.',
      'config_field.uplink_retries': 'Uplink retries must be a number.',
    },
  ],
  [
    'a list for the value of a sensor field',
    { ...sensor, 301: { group: [1] }, 302: [2.5] },
    {
      'config_field.301.group': 'Disabled events must be a number.',
      'config_field.302': 'Hold time of opened must be an object with the member "main".',
    },
  ],
]
for (const [about, field, errors] of refused) {
  // shows 4.16.1-3, 10.8.7, 10.8.14, 10.8.15
  test(`refuses ${about}`, async () => {
    const before = await readHistory(bench, eui)
    const answer = await configure(bench, eui, field as object)
    assert.equal(answer.status, 422, answer.text)
    const expected = Object.entries(errors).map(([name, message]) => [name, [message]])
    assert.deepEqual(answer.body.errors, Object.fromEntries(expected))
    assert.equal(answer.body.message, Object.values(answer.body.errors as string[][])[0]?.[0])
    assert.deepEqual(await readHistory(bench, eui), before)
  })
}

// shows 10.3.9
test('sending and cancelling take the permission manage_devices', async () => {
  const { service } = bench
  const reader = await joinMember(service, 'reader@example.test', ['manage_gateways'])
  const writer = await joinMember(service, 'writer@example.test', ['manage_devices'])
  const cancel = (as: Login) =>
    service.call('DELETE', `/v1/devices/${eui}/configure/cancel`, { as })
  const before = await readHistory(bench, eui)
  for (const answer of [await configure(bench, eui, general, reader), await cancel(reader)]) {
    assert.deepEqual([answer.status, Object.keys(answer.body)], [403, ['message']])
  }
  assert.deepEqual(await readHistory(bench, eui), before)
  assert.equal((await configure(bench, eui, general, writer)).status, 200)
  assert.equal((await cancel(writer)).status, 200)
})

test('refuses the section sensor of a device type without such settings', async () => {
  const answer = await configure(bench, weatherStation.eui, { config_type: 'sensor' })
  assert.equal(answer.status, 422)
  assert.deepEqual(Object.keys(answer.body.errors), ['config_field.config_type'])
})
