import { uint16 } from '../bytes.ts'
import { measuringMessage } from '../measurement-message.ts'
import { reportEvents } from '../report-events.ts'
import type { SensorFile } from '../sensor.ts'
import { currentLoopSettings } from './current-loop-settings.ts'

/*
 * 4-20 mA current loop.
 *
 * | byte | meaning                                                                      |
 * |------|------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 above threshold, 2 below threshold, 3 and 4 change up, down    |
 * | 1-2  | current in units of 10 uA                                                    |
 *
 * Source: support.radiobridge.com, decoding of a 4-20 mA event. Its printed result is a tenth of
 * what its own unit gives; both published decoders use the unit.
 */
const currentLoopMessage = measuringMessage({
  eventCode: 0x11,
  event: 'WIRELESS_420MA_CURRENT_LOOP_SENSOR',
  title: '4-20mA Current Loop Event',
  events: reportEvents('Analog measurement'),
  minimumLength: 3,
  fields: [
    {
      key: 'current',
      label: 'Current Measurement',
      read: uint16,
      at: 1,
      per: 100,
      suffix: ' mA',
      state: ' mA',
    },
  ],
})

export const currentLoop: SensorFile = {
  messages: [currentLoopMessage],
  deviceTypes: [
    {
      typeId: 117,
      typeName: '4-20 mA Current Loop',
      partNumber: 'RBS306-420MA',
      typeCode: 0x11,
      eventCodes: [0x11],
      settings: currentLoopSettings,
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
