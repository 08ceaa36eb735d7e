import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexFault, plainHex, reverseBytes } from '../src/pages/registration/label/hex.ts'
import { readLabel } from '../src/pages/registration/label/label-text.ts'
import { readDeviceCode } from '../src/pages/registration/label/lora-qr.ts'

test('reads the QR code of TR005 with all extensions and its checksum', () => {
  const text =
    'LW:D0:1122334455667788:AABBCCDDEEFF0011:AABB1122:OAABBCCDDEEFF:SYYWWNNNNNN:PFOOBAR:CAF2C'
  assert.deepEqual(readDeviceCode(text), {
    joinEui: '1122334455667788',
    devEui: 'AABBCCDDEEFF0011',
    vendorId: 'AABB',
    profileId: '1122',
    ownerToken: 'AABBCCDDEEFF',
    serialNumber: 'YYWWNNNNNN',
    proprietary: 'FOOBAR',
    warnings: [],
  })
  const wrong = readDeviceCode(text.replace('CAF2C', 'C0000'))
  assert.equal(wrong?.devEui, 'AABBCCDDEEFF0011')
  assert.match(String(wrong?.warnings), /checksum/)
})

test('reads the older drafts with a warning, and no other code', () => {
  const ids = ['1122334455667788', 'AABBCCDDEEFF0011', 'AABB1122']
  for (const text of [
    `URN:LW:DP:${ids.join(':')}:%V0102%SABC`,
    `URN:DEV:LW:${ids.join('_')}_V0102_SABC`,
  ]) {
    const code = readDeviceCode(text)
    assert.equal(code?.joinEui, ids[0], text)
    assert.equal(code?.serialNumber, 'ABC')
    assert.equal(code?.warnings.length, 1)
  }
  for (const text of [
    'https://example.test/AABBCCDDEEFF0011',
    'LW:D0:1122334455667788:AABBCCDDEEFF00:AABB1122',
    'LW:D0:1122334455667788:AABBCCDDEEFF0011:AABB11223344',
    'LW:D1:1122334455667788:AABBCCDDEEFF0011:AABB1122',
  ]) {
    assert.equal(readDeviceCode(text), undefined, text)
  }
})

test('finds what a label names, with any separators', () => {
  const { findings, doubts } = readLabel(`
    Door sensor  S/N 20240117
    DevEUI: 00-AA-00-00-00-00-00-01
    AppEUI (hex) = 70 B3 D5 7E D0 00 00 00
    AppKey 0x00112233 0x44556677 0x8899AABB 0xCCDDEEFF`)
  assert.deepEqual(
    findings.map(({ field, value, isNamed }) => [field, value, isNamed]),
    [
      ['devEui', '00AA000000000001', true],
      ['joinEui', '70B3D57ED0000000', true],
      ['appKey', '00112233445566778899AABBCCDDEEFF', true],
    ],
  )
  assert.equal(findings[0]?.source, 'DevEUI: 00-AA-00-00-00-00-00-01')
  assert.deepEqual(doubts, [])
})

test('takes digits without a name by their length, if there is no doubt', () => {
  const { findings } = readLabel('00aa000000000001\n000102030405060708090A0B0C0D0E0F')
  assert.deepEqual(
    findings.map(({ field, isNamed }) => [field, isNamed]),
    [
      ['devEui', false],
      ['appKey', false],
    ],
  )
  const two = readLabel('00AA000000000001 / 70B3D57ED0000000')
  assert.deepEqual(two.findings, [])
  assert.match(String(two.doubts), /which of these is the DevEUI/)
})

test('never cuts: a wrong number of digits is a doubt, not a value', () => {
  const { findings, doubts } = readLabel('DevEUI 00AA00000000000123')
  assert.deepEqual(findings, [])
  assert.match(String(doubts), /18 digits instead of 16/)
  assert.equal(hexFault('00AA 0000 0000 0001 2', 16), '17 of 16 digits.')
  assert.equal(hexFault('00AA-G', 16), 'Only the digits 0 to 9 and A to F.')
  assert.equal(plainHex('0x00 0xaa:b1'), '00AAB1')
  assert.equal(reverseBytes('0102030405060708'), '0807060504030201')
})

/** What is read of a text, without the doubts. */
function valuesOf(text: string) {
  const { findings } = readLabel(text)
  return Object.fromEntries(findings.map(({ field, value }) => [field, value]))
}

const devEui = '00BB0000000000B1'
const joinEui = '00BB000000000001'
const appKey = '8F3A5D1C772B49E0A6D41B90CE25F711'
const bytes = (hex: string, separator: string, prefix = '') =>
  (hex.match(/../g) ?? []).map((byte) => prefix + byte).join(separator)

test('reads the codes of makers, whatever separates their parts', () => {
  const maker = `${devEui}:${appKey}:${joinEui}:RBS3010NA01BN00:10001000`
  assert.deepEqual(readLabel(maker).doubts, [])
  for (const text of [
    maker,
    `${devEui},${joinEui},${appKey}`,
    `${devEui} ${joinEui} ${appKey}`,
    `${devEui};${joinEui};${appKey};20240117`,
    `${devEui},${joinEui}; ${appKey}`,
    `DEVEUI:${devEui};APPEUI:${joinEui};APPKEY:${appKey};SN:1000100010001000`,
    `{"deveui":"${devEui}","appeui":"${joinEui}","appkey":"${appKey}"}`,
    `https://example.test/?deveui=${devEui}&joineui=${joinEui}&appkey=${appKey}`,
    `AT+DEUI=${bytes(devEui, ' ')}\nAT+APPEUI=${bytes(joinEui, ' ')}\nAT+APPKEY=${bytes(appKey, ' ')}`,
    `DevEUI\n${devEui}\nJoin EUI:\n${joinEui}\nAppKey\n${bytes(appKey, '-')}`,
    `${devEui} DevEUI\n${joinEui} (AppEUI)\n${appKey} AppKey`,
  ]) {
    assert.deepEqual(valuesOf(text), { devEui, joinEui, appKey }, text)
  }
})

test('takes two EUIs for two EUIs, and says that the text does not name them', () => {
  for (const separator of [':', ',', ';', ' ', '-']) {
    const { findings, doubts } = readLabel(`${devEui}${separator}${joinEui}`)
    assert.deepEqual(
      findings.map(({ field, value }) => [field, value]),
      [
        ['devEui', devEui],
        ['joinEui', joinEui],
      ],
    )
    assert.match(String(doubts), /does not name its EUIs/)
  }
  const joined = readLabel(`${bytes(devEui, ':')}:${bytes(joinEui, ':')}`)
  assert.deepEqual(joined.findings, [])
  assert.match(String(joined.doubts), /a key or two EUIs/)
  assert.deepEqual(valuesOf(`${devEui}:10001000`), { devEui })
  assert.deepEqual(valuesOf(`${devEui} 20240117\nS/N 1000100010001000`), { devEui })
})

test('reads a code of TR005 in any text, with its doubts', () => {
  const code = `LW:D0:${joinEui}:${devEui}`
  for (const text of [code, `${code}:AABB1122:S1234`, `Scan ${code}:S1234 here`]) {
    assert.deepEqual(valuesOf(text), { devEui, joinEui }, text)
  }
  assert.match(String(readLabel(code).doubts), /no profile/)
  assert.deepEqual(valuesOf(`${code}:AABB1122\nAppKey: ${appKey}`), { devEui, joinEui, appKey })
  assert.deepEqual(valuesOf(code.replace('D0', 'D9')), {})
  assert.match(String(readLabel(code.replace('D0', 'D9')).doubts), /cannot be read/)
  const other = readLabel(`${code}:AABB1122\nDevEUI: 00BB0000000000B2`)
  assert.match(String(other.doubts), /several values for the DevEUI/)
})

test('reads arrays of C, over several lines', () => {
  const array = (hex: string) => `{ ${bytes(hex, ', ', '0x')} }`
  const text = `
    uint8_t nodeDeviceEUI[8] = ${array(devEui)};
    static const u1_t PROGMEM APPEUI[8]=${array(joinEui).replaceAll(' ', '')};
    #define LORAWAN_APP_KEY ${array(appKey).replaceAll(', 0xA6', ',\n      0xA6')}`
  assert.deepEqual(valuesOf(text), { devEui, joinEui, appKey })
  const small = readLabel('uint8_t devEui[] = { 0x0, 0xBB, 0x0, 0x0, 0x0, 0x0, 0x0, 0xB1 };')
  assert.equal(small.findings[0]?.value, devEui)
  const decimal = readLabel('uint8_t devEui[8] = { 10, 11, 12, 13, 14, 15, 16, 17 };')
  assert.deepEqual(decimal.findings, [])
  assert.match(String(decimal.doubts), /cannot be read/)
})

test('reverses an EUI where the text says LSB, and shows that it did', () => {
  const lsb = bytes(reverseBytes(devEui), ' ')
  for (const text of [
    `DevEUI (LSB): ${lsb}`,
    `LSB DevEUI: ${lsb}`,
    `DevEUI, least significant byte first: ${lsb}`,
    `DevEUI little-endian ${lsb}`,
    `Dev EUI ${lsb} [lsb]`,
    `lsb: ${lsb}`,
  ]) {
    const { findings, doubts } = readLabel(text)
    assert.deepEqual([findings[0]?.field, findings[0]?.value], ['devEui', devEui], text)
    assert.match(String(doubts), /was reversed/, text)
  }
  const both = readLabel(`DevEUI (LSB): ${lsb}\nDevEUI (MSB): ${devEui}`)
  assert.deepEqual([both.findings.map(({ value }) => value), both.doubts], [[devEui], []])
  const other = readLabel(`DevEUI (MSB): ${joinEui}\nDevEUI (LSB): ${lsb}`)
  assert.equal(other.findings[0]?.value, joinEui)
  assert.match(String(other.doubts), /several values/)
  const key = readLabel(`AppKey (LSB): ${appKey}`)
  assert.equal(key.findings[0]?.value, appKey)
  assert.match(String(key.doubts), /Keys are not reversed/)
  const loose = readLabel(`LSB first!\nDevEUI: ${lsb}`)
  assert.equal(loose.findings[0]?.value, reverseBytes(devEui))
  assert.match(String(loose.doubts), /not of which value/)
  const unclear = readLabel(`DevEUI: ${lsb} LSB JoinEUI: ${joinEui}`)
  assert.deepEqual(unclear.findings, [])
  assert.equal(unclear.doubts.length, 2)
})

test('what may mean two things is a doubt', () => {
  const doubtful: [string, RegExp][] = [
    [`DevEUI: ${devEui}\nDevEUI: ${joinEui}`, /several values for the DevEUI/],
    [`AppKey: ${devEui} ${joinEui}`, /16 digits instead of 32/],
    [`DevEUI / JoinEUI: ${devEui} / ${joinEui}`, /which of these is the DevEUI/],
    [`${devEui} DevEUI ${joinEui}`, /which of these is the DevEUI/],
    ['DevEUI: O0BB0000000000B1', /cannot be read/],
    ['DevEUI: 00BB-0000-0000-00B1-23', /18 digits instead of 16/],
    [`NwkKey: ${appKey}`, /another key than the AppKey/],
    [`AppSKey: ${appKey}`, /another key than the AppKey/],
    [bytes(appKey, ' '), /a key or two EUIs/],
    [`${appKey}\n${appKey.replace('8F', '8E')}`, /which of these is the device key/],
  ]
  for (const [text, words] of doubtful) {
    const { findings, doubts } = readLabel(text)
    assert.deepEqual(findings, [], text)
    assert.match(String(doubts), words, text)
  }
  assert.deepEqual(valuesOf(`Gateway EUI: ${devEui}`), {})
})
