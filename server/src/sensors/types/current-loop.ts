import { uint16 } from '../bytes.ts'
import { measurementMessage, reportEvents } from '../measurement-message.ts'
import type { Sensor } from '../sensor.ts'
import {
  measurementSettings,
  type Quantity,
  restoralMargin,
} from '../settings/measurement-fields.ts'

/*
 * 4-20 mA current loop.
 *
 * | byte | meaning                                                                      |
 * |------|------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 above threshold, 2 below threshold, 3 and 4 change up, down    |
 * | 1-2  | current in units of 10 uA                                                    |
 *
 * Source: support.radiobridge.com, decoding of a 4-20 mA event. Its printed result is a tenth of
 * the value in its own unit; both published decoders use the unit.
 */
const currentLoopMessage = measurementMessage({
  eventCode: 0x11,
  event: 'WIRELESS_420MA_CURRENT_LOOP_SENSOR',
  title: '4-20mA Current Loop Event',
  events: reportEvents('Analog measurement'),
  minimumLength: 3,
  fields: [
    {
      key: 'current',
      unit: 'mA',
      quantity: 'current',
      min: 0,
      label: 'Current Measurement',
      read: uint16,
      at: 1,
      per: 100,
      suffix: ' mA',
      state: ' mA',
    },
  ],
})

/*
 * | byte | thresholds                   | report on change             |
 * |------|------------------------------|------------------------------|
 * | 0    | 0                            | 1                            |
 * | 1    | period                       | period                       |
 * | 2    | restoral margin, 10 uA       | not used                     |
 * | 3-4  | lower threshold, 10 uA       | increase, 10 uA; 0 off       |
 * | 5-6  | upper threshold, 10 uA       | decrease, 10 uA; 0 off       |
 *
 * Source: support.radiobridge.com, configuration downlink of a current loop sensor. It has neither
 * range nor defaults. Our default thresholds are the ends of the loop's range. Our highest current
 * leaves room for the 21 mA and more with which transmitters report a fault (NAMUR NE 43).
 */
const highest = 25

const current: Quantity = {
  name: 'current',
  unit: 'mA',
  scale: 100,
  length: 2,
  lowest: 0,
  highest,
  largestChange: highest,
}

const settings = measurementSettings(current, {
  command: 0x11,
  firstId: 1701,
  damping: restoralMargin(current, { id: 1703, byte: 2, default: 0 }),
  lower: { default: 4 },
  upper: { default: 20 },
})

export const currentLoop: Sensor = {
  messages: [currentLoopMessage],
  deviceTypes: [
    {
      typeId: 117,
      typeName: '4-20 mA Current Loop',
      partNumber: 'RBS306-420MA',
      typeCode: 0x11,
      settings,
    },
  ],
  examples: [
    {
      about: 'the current has risen',
      hex: '101103021f',
      gives: {
        event: 'WIRELESS_420MA_CURRENT_LOOP_SENSOR',
        description: 'Report on change increase',
        values: { current: 5.43 },
        lines: [
          '4-20mA Current Loop Event: Report on change increase',
          'Current Measurement: 5.43 mA',
        ],
        status: { current_sensor_state: '5.43 mA' },
      },
    },
  ],
}
