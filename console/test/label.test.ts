import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexFault, plainHex, reverseBytes } from '../src/pages/work/label/hex.ts'
import { readLabel } from '../src/pages/work/label/label-text.ts'
import { readDeviceCode } from '../src/pages/work/label/lora-qr.ts'

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
    'LW:D0:1122334455667788:AABBCCDDEEFF0011',
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

test('takes digits without a name by their length alone, if there is no doubt', () => {
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
  assert.match(String(two.doubts), /which of these is the device EUI/)
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
