import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSettings, encodeSettings, settingsOf } from './device-settings.ts'
import { deviceTypes, sensors } from './index.ts'
import type { EnteredValues } from './settings/entered-values.ts'
import { choicesOf, type Section } from './settings/section.ts'

const limits = 'lower_threshold upper_threshold increase decrease'

/** Ids in use. API clients store them: add to the end of a section, never change or reuse one. */
const keys: Record<string, readonly (readonly [id: number | string, key: string])[]> = {
  '01': [
    ['dis', 'disableall'],
    ['supervisory_period', 'supervisory_period'],
    ['sampling_rate', 'sampling_rate'],
    ['sampling_rate_ms', 'sampling_rate_ms'],
    ['sampling_period', 'sampling_period'],
    ['uplink_retries', 'uplink_retries'],
    ['uplink_confirmation', 'uplink_confirmation'],
    ['disable_adr', 'disable_adr'],
    ['duty_cycle', 'duty_cycle'],
  ],
  '03': numbered(301, 'disabled_events open_hold_time close_hold_time'),
  '06': numbered(601, 'disabled_events hold_delay light'),
  '07': numbered(701, 'disabled_events shorted_hold_time opened_hold_time'),
  '08': numbered(801, 'disabled_events threshold restoral_margin'),
  '09': numbered(901, `mode periodic_report restoral_margin ${limits}`),
  '0a': numbered(
    1001,
    'disabled_events horizontal_angle vertical_angle vertical_hold_time horizontal_hold_time change_toward_vertical change_toward_horizontal',
  ),
  '0b': numbered(1101, `mode periodic_report restoral_margin ${limits}`),
  '0d': numbered(
    1301,
    'mode periodic_report temperature_margin humidity_margin lower_temperature upper_temperature lower_humidity upper_humidity temperature_increase temperature_decrease humidity_increase humidity_decrease',
  ),
  '0e': numbered(1401, 'threshold settling_window scale disabled_events'),
  '0f': numbered(
    1501,
    'mode periodic_report hold_time toward_threshold away_threshold toward_change away_change',
  ),
  '10': numbered(1601, `mode periodic_report hold_time ${limits}`),
  '11': numbered(1701, `mode periodic_report restoral_margin ${limits}`),
  '13': numbered(
    1901,
    'mode thermocouple_type periodic_report restoral_margin upper_threshold lower_threshold increase decrease',
  ),
  '14': numbered(2001, `mode periodic_report restoral_margin ${limits}`),
  fc: [
    ['port_number', 'port_number'],
    ['rejoin_period', 'rejoin_period'],
  ],
}

function numbered(first: number, names: string): [number, string][] {
  return names.split(' ').map((name, index) => [first + index, name])
}

/** Types whose configuration the maker has not published. */
const withoutSensorSection = [60, 104, 109, 110, 120, 121, 122, 123, 124, 125]

const sections = new Map<string, Section>()
for (const { typeId } of deviceTypes) {
  for (const section of settingsOf(typeId)) sections.set(hexadecimal(section.command), section)
}

function hexadecimal(byte: number): string {
  return Uint8Array.of(byte).toHex()
}

function encode(typeId: number, section: Section, entered: EnteredValues): Uint8Array {
  const result = encodeSettings(typeId, section.name, entered)
  assert.ok('bytes' in result, JSON.stringify(result))
  return result.bytes
}

test('keeps the id of every setting', () => {
  const found = [...sections.values()].map(({ command, fields }) => [
    hexadecimal(command),
    fields.map(({ id, key }) => [id, key]),
  ])
  assert.deepEqual(Object.fromEntries(found), keys)
})

test('gives no id twice', () => {
  const ids = [...sections.values()].flatMap(({ fields }) => fields.map(({ id }) => id))
  assert.ok(ids.length > 0)
  assert.equal(new Set(ids).size, ids.length)
})

test('offers the settings of the sensor wherever they are published', () => {
  const without = deviceTypes
    .filter(({ typeId }) => settingsOf(typeId).every(({ name }) => name !== 'sensor'))
    .map(({ typeId }) => typeId)
  assert.deepEqual(without, withoutSensorSection)
  assert.deepEqual(settingsOf(9999), [])
})

test('commands a sensor by the code of its own event', () => {
  for (const { messages, deviceTypes } of sensors) {
    const eventCodes = messages.map(({ eventCode }) => eventCode)
    for (const { typeName, settings } of deviceTypes) {
      assert.ok(!settings || eventCodes.includes(settings.command), typeName)
    }
  }
})

test('says of every setting what it does, and what comes of leaving it empty', () => {
  let checked = 0
  for (const { fields } of sections.values()) {
    for (const field of fields) {
      assert.match(field.description, /Left empty/, field.key)
      assert.notEqual(field.label, '')
      assert.equal(field.isInferred, field.note !== undefined, field.key)
      assert.equal(field.part, field.kind === 'number' ? 'main' : 'group')
      checked += 1
    }
    const labels = fields.map(({ label }) => label)
    assert.equal(new Set(labels).size, labels.length)
  }
  assert.ok(checked > 0)
})

test('offers each value of a choice once, with its own text', () => {
  const choices = [...sections.values()]
    .flatMap(({ fields }) => fields)
    .flatMap((field) => (field.kind === 'number' ? [] : [choicesOf(field)]))
  assert.ok(choices.length > 0)
  for (const options of choices) {
    assert.ok(options.length > 1)
    assert.equal(new Set(options.map(({ value }) => value)).size, options.length)
    assert.equal(new Set(options.map(({ text }) => text)).size, options.length)
  }
})

test('accepts the form sent back unchanged, with its defaults or left empty', () => {
  let checked = 0
  for (const { typeId } of deviceTypes) {
    const all = settingsOf(typeId)
    const shown = all
      .flatMap(({ fields }) => fields)
      .map(({ id, default: value }) => [id, value === undefined ? '' : String(value)])
    for (const section of all) {
      const bytes = encode(typeId, section, Object.fromEntries(shown))
      assert.deepEqual(encode(typeId, section, {}), bytes)
      assert.equal(bytes.length, 8)
      assert.equal(bytes[0], section.command)
      assert.equal(decodeSettings(typeId, bytes)?.section, section.name)
      checked += 1
    }
  }
  assert.ok(checked > 0)
})

test('sends the documented defaults', () => {
  const defaults = Object.fromEntries(
    deviceTypes.map(({ typeId, settings }) => [
      settings ? hexadecimal(settings.command) : '',
      settings ? encode(typeId, settings, {}).toHex() : '',
    ]),
  )
  assert.deepEqual(defaults, {
    '': '',
    '03': '0300000000000000',
    '06': '0600000000000000',
    '07': '0700000000000000',
    '08': '0800502800000000',
    '09': '090000050a5a0000',
    '0a': '0a0c372300000000',
    '0b': '0b00000000ff0000',
    '0d': '0d0000550a28283c',
    '0e': '0e05140000000000',
    '0f': '0f00000023003700',
    '10': '10000000006403e8',
    '11': '11000000019007d0',
    '13': '130600006400f060',
    '14': '1400000a03e804b0',
  })
})
