import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/properties.ts'
import { decodeCayenneLpp } from './cayenne-lpp.ts'

const decode = (hex: string) => decodeCayenneLpp(Buffer.from(hex, 'hex'))

const frames: [string, string, object][] = [
  // The three examples of the myDevices documentation.
  ['two temperatures', '03670110056700FF', { temperature_3: 27.2, temperature_5: 25.5 }],
  [
    'a temperature and an acceleration',
    '0167FFD7067104D2FB2E0000',
    { temperature_1: -4.1, accelerometer_6: { x: 1.234, y: -1.234, z: 0 } },
  ],
  [
    'a place',
    '018806765FF2960A0003E8',
    { gps_1: { latitude: 42.3519, longitude: -87.9094, altitude: 10 } },
  ],
  ['digital values', '0000010101FF', { digital_in_0: 1, digital_out_1: 255 }],
  ['analog values', '0202FF9C0303007B', { analog_in_2: -1, analog_out_3: 1.23 }],
  [
    'a room',
    '0165FFFF0266010468500573277C',
    { luminosity_1: 65535, presence_2: 1, relative_humidity_4: 40, barometric_pressure_5: 1010.8 },
  ],
  ['a turn', '0186FF9C006400C8', { gyrometer_1: { x: -1, y: 1, z: 2 } }],
  [
    'the later electrical types',
    '0174014A0275012C0376000003E80480000A0583000003E8',
    { voltage_1: 3.3, current_2: 0.3, frequency_3: 1000, power_4: 10, energy_5: 1 },
  ],
  [
    'the other later types',
    '01640000000102783203 79FFFE047D01900582000007D0068400B4078564000000 0887FF8000098E01'.replaceAll(
      ' ',
      '',
    ),
    {
      generic_1: 1,
      percentage_2: 50,
      altitude_3: -2,
      concentration_4: 400,
      distance_5: 2,
      direction_6: 180,
      unix_time_7: 1677721600,
      colour_8: { red: 255, green: 128, blue: 0 },
      switch_9: 1,
    },
  ],
]
for (const [what, hex, data] of frames) {
  test(`reads ${what}`, () => assert.deepEqual(decode(hex), { data }))
}

test('says where a frame goes wrong', () => {
  assert.deepEqual(decode(''), { error: 'The frame is empty.' })
  assert.deepEqual(decode('0167'), { error: 'The value of temperature is cut off.' })
  assert.deepEqual(decode('016700FF01'), { error: 'Byte 5 is no type of CayenneLPP.' })
  assert.deepEqual(decode('0105'), { error: 'Byte 1 is no type of CayenneLPP.' })
})

test('reads any bytes without a fault of its own', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const result = decodeCayenneLpp(bytes)
      assert.ok('data' in result ? Object.keys(result.data).length > 0 : result.error !== '')
    }),
  )
})
