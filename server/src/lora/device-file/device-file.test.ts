import assert from 'node:assert/strict'
import { test } from 'node:test'
import Papa from 'papaparse'
import { fc } from '../../../test/properties.ts'
import { deviceColumns, guessColumns, leftOutColumns, plainHeader } from './columns.ts'
import { plainHex, readDeviceRow, readHex, toRegion } from './device-row.ts'
import { readTable } from './read-table.ts'

function guess(line: string) {
  const headers = line.split(';')
  const mapping = guessColumns(headers, deviceColumns)
  return Object.fromEntries(
    Object.entries(mapping).map(([name, column]) => [name, headers[column ?? -1]]),
  )
}

test('knows the headers of other programs', () => {
  const [deviceId, joinEui, deviceKey] = ['dev_eui', 'join_eui', 'app_key']
  assert.deepEqual(guess('id;dev_eui;join_eui;name;app_key;nwk_key;band_id;lorawan_version'), {
    ...{ deviceId, joinEui, deviceKey, deviceName: 'name', appRegion: 'band_id' },
    lorawanVersion: 'lorawan_version',
  })
  assert.deepEqual(
    guess('Directive;DevEUI or Onboarding tag;DevAddr;Device model;JoinEUI (AppEUI);AppKey'),
    {
      ...{
        directive: 'Directive',
        deviceId: 'DevEUI or Onboarding tag',
        deviceType: 'Device model',
      },
      ...{ joinEui: 'JoinEUI (AppEUI)', deviceKey: 'AppKey' },
    },
  )
  assert.deepEqual(guess('deveui;appeui;appkey;title;description'), {
    ...{ deviceId: 'deveui', joinEui: 'appeui', deviceKey: 'appkey', deviceName: 'title' },
    notes: 'description',
  })
  assert.deepEqual(guess('device_id;device_type;device_profile'), {
    ...{ deviceId: 'device_id', deviceType: 'device_type', deviceProfile: 'device_profile' },
  })
  assert.deepEqual(guess('device_id;dev_eui'), { deviceName: 'device_id', deviceId: 'dev_eui' })
  for (const name of [
    'Gerätename',
    'nom',
    'NOMBRE',
    'Nome',
    'Название',
    '设备名称',
    'デバイス名',
    '이름',
  ]) {
    assert.equal(guess(`DevEUI;${name}`).deviceName, name)
  }
})

test('a column that begins with `tag:` is a tag, and one of JSON has several', () => {
  const headers = ['DevEUI', 'tag:floor', 'Tag: Room no', 'tags', 'tag:']
  const mapping = guessColumns(headers, deviceColumns)
  assert.deepEqual(mapping, { deviceId: 0, 'tag:floor': 1, 'tag:Room no': 2, tags: 3 })
  assert.deepEqual(leftOutColumns(headers, mapping), ['tag:'])
  const read = (...cells: string[]) => readDeviceRow(['00AA000000000001', ...cells], mapping)
  const { tags, faults } = read(' 2 ', '204', '{"floor": "1", "owner": "city"}')
  assert.deepEqual(
    [tags, faults.tags],
    [{ floor: '2', 'Room no': '204', owner: 'city' }, undefined],
  )
  assert.deepEqual(read('', '', '').tags, {})
  for (const text of ['floor=2', '{"floor": 2}', '["floor"]', 'null']) {
    assert.match(read('', '', text).faults.tags ?? '', /texts in JSON/, text)
  }
})

test('a header that only contains a known one is another', () => {
  const headers = 'device_name_old;network key id;my DevEUI 2;DevEUI (LSB);appkey_hint'
  assert.deepEqual(guess(headers), {})
  assert.deepEqual(leftOutColumns(['DevEUI', 'Colour'], { deviceId: 0 }), ['Colour'])
  assert.equal(plainHeader(' Device-EUI [hex] '), 'deviceeui')
})

test('reads digits as people and programs write them, and names what went wrong', () => {
  const eui = '00AA0000000000B1'
  const forms = ['00-aa-00-00-00-00-00-b1', '0x00aa0000000000b1', '00_AA_00_00_00_00_00_B1']
  for (const text of [...forms, `="${eui}"`, `'${eui}`, `${eui} (hex)`, `00AA:0000:0000:00B1`]) {
    assert.deepEqual(readHex(text, 16, 'device EUI'), { value: eui }, text)
  }
  const faults: [string, RegExp][] = [
    ['1.23E+15', /a spreadsheet has taken it for a number/],
    ['1,23E15', /a spreadsheet has taken it for a number/],
    ['8.0012345E+31', /a spreadsheet has taken it for a number/],
    ['80000000000001', /14 digits instead of 16. A spreadsheet may have cut its leading zeros/],
    ['00AA0000000000B', /15 digits instead of 16\.$/],
    ['00AA0000000000BG', /other characters/],
    [`${eui} (LSB)`, /says LSB/],
  ]
  for (const [text, words] of faults) {
    assert.match(readHex(text, 16, 'device EUI').fault ?? '', words, text)
  }
})

test('property: an EUI with separators is itself, and other digits are never made an EUI', () => {
  const digit = fc.constantFrom(...'0123456789abcdefABCDEF')
  const digits = fc.array(digit, { minLength: 1, maxLength: 40 }).map((all) => all.join(''))
  fc.assert(
    fc.property(digits, fc.constantFrom('', '-', ':', '_', ' ', '.'), (text, separator) => {
      const written = (text.match(/..?/g) ?? []).join(separator)
      const { value, fault } = readHex(written, 16, 'device EUI')
      assert.equal(fault === undefined, text.length === 16)
      if (fault === undefined) assert.equal(value, text.toUpperCase())
      else assert.ok(value === written || value === plainHex(written))
    }),
  )
})

test('reads regions of bands and plans, and refuses what no job registers', () => {
  const names = [
    'EU_863_870',
    'EU_863_870_TTN',
    'eu868',
    'US902-928',
    'AS_923_2',
    'AU_915_928_FSB_2',
  ]
  assert.deepEqual(names.map(toRegion), ['EU868', 'EU868', 'EU868', 'US915', 'AS923', 'AU915'])
  assert.equal(toRegion('ISM_2400'), undefined)
  const fault = (version: string, joins: string) =>
    readDeviceRow([version, joins], { lorawanVersion: 0, supportsJoin: 1 }).faults.radio
  assert.equal(fault('MAC_V1_0_3', 'true'), undefined)
  assert.match(fault('MAC_V1_1', '') ?? '', /LoRaWAN 1\.1/)
  assert.match(fault('1.1.0', '') ?? '', /LoRaWAN 1\.1/)
  assert.match(fault('1.0.4', 'false') ?? '', /does not join/)
})

test('numbers rows as a spreadsheet shows them', () => {
  const numbers = (text: string) => readTable(Buffer.from(text)).rows.map(({ number }) => number)
  assert.deepEqual(numbers('DevEUI,Name\nA,1\n\n,,\nB,"two\nlines"\nC,3'), [2, 5, 6])
  assert.deepEqual(numbers('sep=;\nDevEUI;Name\nA;1'), [2])
  assert.deepEqual(numbers('00AA000000000001,Hall\n00AA000000000002,Door'), [1, 2])
  assert.deepEqual(numbers('#Directive,DevEUI\n#CREATE_OTAA,x\nCREATE_OTAA,y'), [3])
})

test('property: a table is read whatever its encoding, delimiter and line breaks', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/\r/g, ''))
  const encodings = {
    utf8: (text: string) => Buffer.from(text),
    marked: (text: string) => Buffer.from(`\ufeff${text}`),
    utf16le: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    utf16be: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  }
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell), { maxLength: 20 }),
      fc.constantFrom(...(Object.keys(encodings) as (keyof typeof encodings)[])),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.constantFrom('\r\n', '\n'),
      fc.boolean(),
      (cells, encoding, delimiter, newline, isNamed) => {
        const rows = cells.map(([one, other], index) => [`D${index}`, one, other])
        const text = Papa.unparse([['DevEUI', 'Name', 'Notes'], ...rows], {
          ...{ delimiter, newline, quotes: true },
        })
        const named = isNamed ? `sep=${delimiter}${newline}` : ''
        const table = readTable(encodings[encoding](named + text))
        assert.deepEqual(table.headers, ['DevEUI', 'Name', 'Notes'])
        assert.deepEqual(
          table.rows,
          rows.map((row, index) => ({ number: index + 2, cells: row })),
        )
      },
    ),
  )
})
