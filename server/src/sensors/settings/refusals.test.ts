import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeSettings } from '../device-settings.ts'
import type { EnteredValues } from './entered-values.ts'
import type { SectionName } from './section.ts'

function refused(typeId: number, section: SectionName, entered: EnteredValues) {
  const result = encodeSettings(typeId, section, entered)
  assert.ok('problems' in result, JSON.stringify(result))
  return Object.fromEntries(result.problems.map(({ field, message }) => [field, message]))
}

function sent(typeId: number, section: SectionName, entered: EnteredValues): string {
  const result = encodeSettings(typeId, section, entered)
  assert.ok('bytes' in result, JSON.stringify(result))
  return result.bytes.toHex()
}

test('refuses numbers out of range, by the name of the setting', () => {
  assert.deepEqual(refused(18, 'sensor', { 702: -1, 703: 16384 }), {
    702: 'Hold time of shorted must be between 0 and 16383.75 s.',
    703: 'Hold time of opened must be between 0 and 16383.75 s.',
  })
  assert.deepEqual(refused(103, 'sensor', { 904: -41 }), {
    904: 'Lower threshold must be between -40 and 100 °C.',
  })
  assert.deepEqual(refused(18, 'advanced', { port_number: 224 }), {
    port_number: 'Port number must be between 0 and 223.',
  })
})

test('refuses a number between two steps, and names the nearest', () => {
  assert.deepEqual(refused(117, 'sensor', { 1704: 10.475 }), {
    1704: 'Lower threshold must be in steps of 0.01 mA; the nearest are 10.47 and 10.48.',
  })
  assert.deepEqual(refused(118, 'sensor', { 1905: '21.8' }), {
    1905: 'Upper threshold must be in steps of 0.0625 °C; the nearest are 21.75 and 21.8125.',
  })
  assert.deepEqual(refused(40, 'sensor', { 1002: 45.5 }), {
    1002: 'Angle of horizontal must be a whole number.',
  })
})

test('refuses what is not a number', () => {
  for (const entered of ['ten', '0x10', '1e1', '1,5', Number.NaN, true, {}, [5]]) {
    assert.deepEqual(refused(18, 'sensor', { 702: entered }), {
      702: 'Hold time of shorted must be a number.',
    })
  }
})

test('refuses values that a choice does not offer', () => {
  assert.deepEqual(refused(112, 'sensor', { 1301: 2, 1302: 256 }), {
    1301: 'Mode must be one of the values offered.',
    1302: 'Periodic report must be one of the values offered.',
  })
  assert.deepEqual(refused(18, 'sensor', { 701: 4 }), {
    701: 'Disabled events must be a whole number between 0 and 3.',
  })
  assert.deepEqual(refused(18, 'general', { dis: 2, uplink_retries: 9 }), {
    dis: 'Disable all events must be 0 or 1.',
    uplink_retries: 'Uplink retries must be one of the values offered.',
  })
  assert.deepEqual(Object.keys(refused(18, 'advanced', { rejoin_period: 1 })), ['rejoin_period'])
  assert.deepEqual(Object.keys(refused(18, 'advanced', { rejoin_period: 0x80 | 60 })), [
    'rejoin_period',
  ])
})

test('refuses settings that the type of device does not have', () => {
  assert.deepEqual(refused(18, 'sensor', { 901: 0, 702: -1 }), {
    901: 'This type of device has no setting "901".',
    702: 'Hold time of shorted must be between 0 and 16383.75 s.',
  })
  assert.deepEqual(refused(60, 'sensor', {}), {
    config_type: 'This type of device has no sensor settings that can be sent.',
  })
  assert.deepEqual(refused(9999, 'general', {}), {
    config_type: 'This type of device has no general settings that can be sent.',
  })
})

test('refuses a value that would be lost in the mode chosen', () => {
  assert.deepEqual(refused(103, 'sensor', { 901: 1, 904: 12, 906: 3 }), {
    904: 'Lower threshold must be left empty unless "Mode" is "Thresholds".',
  })
  assert.equal(sent(103, 'sensor', { 901: 1, 904: 10, 906: 3 }), '0901000003000000')
})

test('refuses thresholds in the wrong order', () => {
  assert.deepEqual(refused(103, 'sensor', { 905: 5 }), {
    904: 'Lower threshold must be below upper threshold, which is 5 °C.',
  })
  assert.equal(sent(103, 'sensor', { 904: -30, 905: -15 }), '09000005e2f10000')
})

test('refuses both ways of giving the sampling rate at once', () => {
  const seconds = { sampling_rate: 30, sampling_period: 1 }
  assert.equal(sent(18, 'general', seconds), '010002135e000000')
  assert.equal(sent(18, 'general', { sampling_rate_ms: 4 }), '0100021304000000')
  assert.deepEqual(refused(18, 'general', { ...seconds, sampling_rate_ms: 4 }), {
    sampling_rate_ms:
      'Sampling rate in milliseconds must be left empty unless "Unit of the sampling rate" is "Milliseconds".',
  })
  assert.deepEqual(refused(18, 'general', { sampling_rate: 30, sampling_rate_ms: 4 }), {
    sampling_rate:
      'Sampling rate must be left empty unless "Unit of the sampling rate" is "Seconds" or "Minutes" or "Hours".',
  })
  assert.deepEqual(refused(18, 'general', { sampling_period: 3 }), {
    sampling_rate: 'Sampling rate must be 1 to 63 when its unit is chosen.',
  })
})

test('has uplinks confirmed when retries need it, and refuses what sensors would', () => {
  assert.equal(sent(18, 'general', {}), '0100021300000000')
  assert.equal(sent(18, 'general', { uplink_retries: 1 }), '0100061300000000')
  assert.equal(sent(18, 'general', { uplink_retries: '3' }), '01000c1300000000')
  assert.equal(sent(18, 'general', { uplink_confirmation: 0 }), '0100001300000000')
  assert.deepEqual(refused(18, 'general', { uplink_retries: 3, uplink_confirmation: 1 }), {
    uplink_retries: 'Uplink retries must be at most 1 when uplinks are unconfirmed.',
  })
})

test('ignores the values of the other sections, right or wrong', () => {
  const entered = { 702: 1, supervisory_period: 129, port_number: 'x' }
  assert.equal(sent(18, 'sensor', entered), '0700000400000000')
  assert.equal(sent(18, 'general', entered), '0100028100000000')
})
