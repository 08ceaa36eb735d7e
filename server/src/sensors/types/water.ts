import { uint8 } from '../bytes.ts'
import type { Content, SensorFile } from '../sensor.ts'
import { unknownState } from '../unknown-reason.ts'
import { waterSettings } from './water-settings.ts'

/*
 * Water sensor: leak probe or rope.
 *
 * | byte | meaning                                          |
 * |------|--------------------------------------------------|
 * | 0    | 0 water or liquid present, 1 not present         |
 * | 1    | relative resistance, 0 to 255                    |
 *
 * Source: RBS301-WAT manual (manualslib 3297132) p. 9 and support.radiobridge.com.
 */
const states = ['present', 'not present']

function decodeWater(payload: Uint8Array): Content {
  const state = states[uint8(payload, 0)]
  const description = state ? `Water or liquid ${state}` : unknownState(uint8(payload, 0))
  const relativeResistance = uint8(payload, 1)
  return {
    description,
    values: { ...(state ? { state } : {}), relativeResistance },
    lines: [`Water Event: ${description}`, `Relative resistance: ${relativeResistance}`],
    status: state ? { current_sensor_state: description } : {},
  }
}

export const water: SensorFile = {
  messages: [{ eventCode: 0x08, event: 'WATER_SENSOR', minimumLength: 2, decode: decodeWater }],
  deviceTypes: [
    {
      typeId: 19,
      typeName: 'LoRa Water Sensor',
      partNumber: 'RBS301-WAT',
      otherPartNumbers: ['RBS3010xx0ABN00'],
      typeCode: 0x0a,
      eventCodes: [0x08],
      settings: waterSettings,
    },
    {
      typeId: 108,
      typeName: 'Water Rope',
      partNumber: 'RBS301-WR1M',
      otherPartNumbers: [
        'RBS306-WR1M',
        'RBS301-WR10M',
        'RBS3010xx0ABN08',
        'RBS3010xx0ABN0B',
        'RBS3010xx0ABN09',
      ],
      typeCode: 0x0a,
      eventCodes: [0x08],
      settings: waterSettings,
    },
    {
      typeId: 125,
      typeName: 'Water + Temperature + Humidity',
      partNumber: 'RBS3010xx22BN00',
      otherPartNumbers: ['RBS3010xx22BN08', 'RBS3010xx22BN09'],
      typeCode: 0x22,
      // Inferred from the part number: the maker has published no frame of this type.
      eventCodes: [0x08, 0x0d],
    },
  ],
  examples: [
    {
      about: 'water at the probe',
      hex: '10080080',
      gives: {
        event: 'WATER_SENSOR',
        description: 'Water or liquid present',
        values: { state: 'present', relativeResistance: 128 },
        lines: ['Water Event: Water or liquid present', 'Relative resistance: 128'],
        status: { current_sensor_state: 'Water or liquid present' },
      },
    },
    {
      about: 'dry again',
      hex: '1a080105',
      gives: { values: { state: 'not present', relativeResistance: 5 } },
    },
  ],
}
