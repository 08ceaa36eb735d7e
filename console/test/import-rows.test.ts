import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deviceColumns,
  guessColumns,
  plainHeader,
} from '../../server/src/lora/device-file/columns.ts'
import { readTable } from '../../server/src/lora/device-file/read-table.ts'
import { convertRow } from '../src/pages/registration/import/convert-row.ts'
import { checkRows, convertRows } from '../src/pages/registration/import/csv-table.ts'
import { readMapping, rememberMapping } from '../src/pages/registration/import/import-fields.ts'

const key = '000102030405060708090A0B0C0D0E0F'

/** A file as the page reads it, at a network that takes it. */
function open(content: string | Buffer) {
  const table = readTable(Buffer.from(content))
  const rules = {
    ...{ mapping: guessColumns(table.headers, deviceColumns), network: 'chirpstack' },
    ...{ deviceType: '16', appRegion: null, frequencyPlan: null },
    networks: [{ key: 'chirpstack', name: 'ChirpStack', account: 'user_account' as const }],
    types: [
      { id: '15', name: 'RBS301-CON - LoRa Contact' },
      { id: '16', name: 'RBS301-DWS - LoRa Door/Window' },
    ],
  }
  return { table, rules }
}

function rowOf(content: string | Buffer) {
  const { table, rules } = open(content)
  assert.deepEqual(checkRows(table, rules), { faulty: 0, keyless: 0, rows: [] })
  return convertRow(table.rows[0]?.cells ?? [], rules).row
}

test('reads a row of each program with what it says', () => {
  const stack =
    `id,dev_eui,join_eui,name,frequency_plan_id,lorawan_version,app_key,band_id\n` +
    `b5,00AA000000000001,00AA00000000FF01,Barn,EU_863_870_TTN,MAC_V1_0_3,${key},EU_863_870`
  assert.deepEqual(rowOf(stack), {
    deviceName: 'Barn',
    deviceId: '00AA000000000001',
    provisioningData: {
      ...{ network: 'chirpstack', registerMethod: 'user_account', deviceKey: key },
      ...{ deviceTypeId: 16, joinEui: '00AA00000000FF01', appRegion: 'EU868' },
      ...{ frequencyPlan: 'EU_863_870_TTN', gatewayId: null },
    },
  })
  const both = rowOf(`device_id,dev_eui,app_key\nlamp-1,00AA000000000002,${key}`)
  assert.deepEqual([both.deviceId, both.deviceName], ['00AA000000000002', 'lamp-1'])
  const own =
    `device_name,device_id,device_key,register_method,device_profile,device_type,console_only\n` +
    `Hall,00AA000000000003,${key},vendor,abc,16,true`
  const { registerMethod, deviceProfile, consoleOnly } = rowOf(own).provisioningData
  assert.deepEqual([registerMethod, deviceProfile, consoleOnly], ['vendor', 'abc', true])
})

test('takes the tags of a row, one in a column or all as JSON', () => {
  const row = rowOf(
    `dev_eui,app_key,tag:floor,tags\n00AA000000000001,${key},2,"{""owner"":""city""}"`,
  )
  assert.deepEqual(row.tags, { floor: '2', owner: 'city' })
  const { table, rules } = open(`dev_eui,app_key,Colour\n00AA000000000001,${key},red`)
  const mapping = { ...rules.mapping, 'tag:Colour': 2 }
  const [cells = []] = table.rows.map((one) => one.cells)
  assert.deepEqual(convertRow(cells, { ...rules, mapping }).row.tags, { Colour: 'red' })
})

test('takes the guard of own exports off', () => {
  for (const [cell, name] of [
    ["'=Lamp", '=Lamp'],
    ["'-1+cmd", '-1+cmd'],
    ["'Lamp", "'Lamp"],
  ]) {
    assert.equal(rowOf(`DevEUI,AppKey,Name\n00AA000000000001,${key},${cell}`).deviceName, name)
  }
})

test('says what is wrong with a row, by the number that a spreadsheet shows', () => {
  const { table, rules } = open(
    `DevEUI;AppKey\n\n1.23E+15;${key}\n00AA000000000001;${key}\n00AA000000000001;\n;${key}`,
  )
  const { faulty, rows } = checkRows(table, rules)
  assert.equal(faulty, 3)
  assert.deepEqual(
    rows.map(({ number }) => number),
    [3, 5, 6],
  )
  assert.match(String(rows[0]?.faults), /a spreadsheet has taken it for a number/)
  assert.match(String(rows[1]?.faults), /key is missing.*Row 4 has the same DevEUI/)
  assert.equal(convertRows(table, rules, { first: 2, count: 1 })[0]?.deviceId, '00AA000000000001')
})

test('what a spreadsheet has damaged alike is no repeated EUI', () => {
  const { table, rules } = open(`DevEUI,AppKey\n1.23E+15,${key}\n1.23E+15,${key}`)
  const { rows } = checkRows(table, rules)
  assert.doesNotMatch(String(rows.map(({ faults }) => faults)), /same DevEUI/)
})

test('finds the type by its id, part number or name, and the account by its word', () => {
  const { table, rules } = open(
    'DevEUI,AppKey,Type,Register method\n' +
      ['15,', 'rbs301-dws,', 'lora contact,', 'RBS301-DWS - LoRa Door/Window,vendor']
        .map((cells, index) => `00AA00000000000${index},${key},${cells}\n`)
        .join(''),
  )
  const rows = table.rows.map(({ cells }) => convertRow(cells, rules).row.provisioningData)
  assert.deepEqual(
    rows.map(({ deviceTypeId, registerMethod }) => [deviceTypeId, registerMethod]),
    [
      [15, 'user_account'],
      [16, 'user_account'],
      [15, 'user_account'],
      [16, 'vendor'],
    ],
  )
})

test('says that a type is missing or unknown, and when a name is too long', () => {
  const faultsOf = (name: string, type: string) => {
    const { table, rules } = open(
      `DevEUI,AppKey,Name,Type\n00AA000000000001,${key},${name},${type}`,
    )
    return convertRow(table.rows[0]?.cells ?? [], { ...rules, deviceType: null }).faults
  }
  assert.deepEqual(faultsOf('a'.repeat(255), '16'), [])
  assert.deepEqual(faultsOf('a'.repeat(256), '16'), ['The name has more than 255 characters.'])
  assert.deepEqual(faultsOf('Lamp', ''), ['The type is missing.'])
  assert.match(String(faultsOf('Lamp', 'RBS9')), /No type has the id, part number or name “RBS9”/)
})

test('a header of one column', () => {
  assert.deepEqual(guessColumns(['device_id'], deviceColumns), { deviceId: 0 })
})

test('remembers the columns of a file with the same headers, if they are there', (t) => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  }
  const former = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
  t.after(() => former && Object.defineProperty(globalThis, 'localStorage', former))
  const headers = ['Column 1', 'Column 2']
  assert.deepEqual(readMapping(headers), {})
  rememberMapping(headers, { deviceId: 0, deviceName: 1 })
  assert.deepEqual(readMapping(['column_1', 'COLUMN 2']), { deviceId: 0, deviceName: 1 })
  assert.deepEqual(readMapping(['Column 1', 'Name']), { deviceName: 1 })
  const [[name = ''] = []] = kept
  for (const stored of ['{"deviceId":2,"deviceName":-1,"notes":"1"}', '{']) {
    kept.set(name, stored)
    assert.deepEqual(readMapping(headers), {}, stored)
  }
  for (const stored of ['null', '1']) {
    const own = ['DevEUI', 'Name']
    kept.set(`import ${own.map(plainHeader).join(' ')}`, stored)
    assert.deepEqual(readMapping(own), { deviceId: 0, deviceName: 1 }, stored)
  }
})
