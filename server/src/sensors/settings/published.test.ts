import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSettings, describeSettings, encodeSettings, settingsOf } from '../device-settings.ts'
import published from '../vectors/radio-bridge-downlinks.json' with { type: 'json' }
import { periods, shortPeriods } from './periods.ts'

interface Published {
  sensor: string
  typeId: number
  hex: string
  values: Record<string, number | undefined>
}

const frames: readonly Published[] = published.frames

function byId({ typeId, values }: Published): Record<string, number | undefined> {
  const fields = settingsOf(typeId).find(({ name }) => name === 'sensor')?.fields ?? []
  const found = Object.entries(values).map(([key, value]) => {
    const field = fields.find((one) => one.key === key)
    assert.ok(field, key)
    return [String(field.id), value]
  })
  return Object.fromEntries(found)
}

test('has published downlinks to compare with', () => {
  assert.equal(frames.length, 22)
})

for (const frame of frames) {
  test(`writes and reads the published downlink: ${frame.sensor}`, () => {
    const values = byId(frame)
    const bytes = Uint8Array.fromHex(frame.hex)
    assert.deepEqual(encodeSettings(frame.typeId, 'sensor', values), { bytes })
    assert.deepEqual(decodeSettings(frame.typeId, bytes), { section: 'sensor', values })
  })
}

test('sends type K of the thermocouple as the text of the article says', () => {
  const result = encodeSettings(118, 'sensor', { 1901: 1, 1902: 3 })
  assert.deepEqual(result, { bytes: Uint8Array.fromHex('1307000000000000') })
})

// shows 10.8.1
test('reads every published period byte', () => {
  const bytes: Record<number, string> = {
    0: 'Off',
    1: '1 hour',
    129: '1 minute',
    8: '8 hours',
    24: '24 hours',
    158: '30 minutes',
    218: '90 minutes',
    127: '127 hours',
    255: '127 minutes',
    4: '4 hours',
    143: '15 minutes',
  }
  for (const [byte, text] of Object.entries(bytes)) {
    const found = periods.filter(({ value }) => value === Number(byte))
    assert.deepEqual(found, [{ value: Number(byte), text }])
  }
  const [, , report] = describeSettings(103, Uint8Array.fromHex('0901800007030000'))
  assert.equal(report, 'Periodic report: Off')
})

test('reads the hold time of the ultrasonic sensor the other way round', () => {
  const texts = [0x04, 0x8f].map((byte) => shortPeriods.find(({ value }) => value === byte)?.text)
  assert.deepEqual(texts, ['4 minutes', '15 seconds'])
})

test('tells a downlink in words, ended by its bytes', () => {
  assert.deepEqual(describeSettings(18, Uint8Array.fromHex('07020004003c0000')), [
    'Configuration: Sensor',
    'Disabled events: Opened',
    'Hold time of shorted: 1 s',
    'Hold time of opened: 15 s',
    'Message: 07 02 00 04 00 3c 00 00',
  ])
  assert.deepEqual(describeSettings(18, Uint8Array.fromHex('0101028114000000')), [
    'Configuration: General',
    'Disable all events: Yes',
    'Supervisory period: 1 minute',
    'Sampling rate in milliseconds: 5000 ms',
    'Unit of the sampling rate: Milliseconds',
    'Uplink retries: Do not change',
    'Confirmation of uplinks: Unconfirmed',
    'Disable adaptive data rate: No',
    'Keep the EU868 duty cycle: No',
    'Message: 01 01 02 81 14 00 00 00',
  ])
})

test('tells the published advanced configuration, whose period is not offered', () => {
  const bytes = Uint8Array.fromHex('fc00010100000000')
  assert.deepEqual(describeSettings(18, bytes), [
    'Configuration: Advanced',
    'Port number: 1',
    'Rejoin period: 1 hour',
    'Message: fc 00 01 01 00 00 00 00',
  ])
  const sent = encodeSettings(18, 'advanced', { port_number: 1, rejoin_period: 2 })
  assert.deepEqual(sent, { bytes: Uint8Array.fromHex('fc00010200000000') })
})

test('shows only bytes that the type of device has no settings for', () => {
  for (const hex of ['0900000000000000', '0700', '']) {
    assert.equal(decodeSettings(18, Uint8Array.fromHex(hex)), undefined)
    assert.equal(describeSettings(18, Uint8Array.fromHex(hex)).length, 1)
  }
})
