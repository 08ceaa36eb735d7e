import { uint8 } from '../bytes.ts'
import { type Measurement, measurement } from '../measurement.ts'
import type { Content, PayloadField, Sensor } from '../sensor.ts'
import { disabledEvents, number, sensorSection } from '../settings/section.ts'
import { unknownState } from '../state-message.ts'

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

const fields: readonly PayloadField[] = [
  {
    label: 'State',
    at: 0,
    keys: ['state', 'eventDescription'],
    texts: states.map((state) => `Water or liquid ${state}`),
  },
  { label: 'Relative resistance', at: 1, keys: ['relativeResistance'], coding: 'unsigned' },
]

const measurements: readonly Measurement[] = [
  measurement('state', 'state', {
    label: 'Water',
    quantity: 'water.leak',
    words: states.map((value) => ({
      value,
      text: value === 'present' ? 'Water detected' : 'Dry',
      status: `Water or liquid ${value}`,
    })),
    isHeadline: true,
  }),
  measurement('relativeResistance', 'number', { decimals: 0, min: 0, max: 255 }),
]

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

/*
 * | byte | meaning                                                     |
 * |------|-------------------------------------------------------------|
 * | 0    | disabled events: bit 0 water present, bit 1 not present     |
 * | 1    | threshold of the relative resistance, 0 to 255              |
 * | 2    | restoral margin, 0 to 255                                   |
 *
 * Source: RBS301-WAT manual (manualslib 3297132) p. 9 and, for the defaults, support.radiobridge.com,
 * configuration downlink of a water rope. The article on the leak probe swaps the two bits; an older
 * copy of the article on the rope has 0 as default of the margin.
 */
const settings = sensorSection({
  command: 0x08,
  fields: [
    disabledEvents(801, 0, ['Water present', 'Water not present']),
    number({
      id: 802,
      key: 'threshold',
      label: 'Threshold',
      description:
        'Relative resistance, 0 to 255, that means water; liquids differ, so take it from an event of the sensor. Left empty, 80.',
      place: { byte: 1 },
      default: 80,
      min: 0,
      max: 255,
      unit: '',
    }),
    number({
      id: 803,
      key: 'restoral_margin',
      label: 'Restoral margin',
      description:
        'How far the resistance must come back past the threshold before the next event. Left empty, 40.',
      place: { byte: 2 },
      default: 40,
      min: 0,
      max: 255,
      unit: '',
    }),
  ],
})

export const water: Sensor = {
  messages: [
    {
      eventCode: 0x08,
      event: 'WATER_SENSOR',
      minimumLength: 2,
      decode: decodeWater,
      fields,
      measurements,
    },
  ],
  deviceTypes: [
    {
      typeId: 19,
      typeName: 'LoRa Water Sensor',
      partNumber: 'RBS301-WAT',
      otherPartNumbers: ['RBS3010xx0ABN00'],
      typeCode: 0x0a,
      settings,
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
      settings,
    },
    {
      typeId: 125,
      typeName: 'Water + Temperature + Humidity',
      partNumber: 'RBS3010xx22BN00',
      otherPartNumbers: ['RBS3010xx22BN08', 'RBS3010xx22BN09'],
      typeCode: 0x22,
      // Inferred from the part number: the maker has published no frame of this type.
      alsoSends: [0x0d],
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
