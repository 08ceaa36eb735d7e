import { uint8, uint16 } from './bytes.ts'
import { currentLoopSettings } from './current-loop-settings.ts'
import { reportEvents } from './report-events.ts'
import type { Content, SensorFile } from './sensor.ts'

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
const events = reportEvents('Analog measurement')

function decodeCurrentLoop(payload: Uint8Array): Content | undefined {
  const description = events[uint8(payload, 0)]
  if (!description) return undefined
  const current = uint16(payload, 1) / 100
  return {
    description,
    values: { current },
    lines: [`4-20mA Current Loop Event: ${description}`, `Current Measurement: ${current} mA`],
    status: { current_sensor_state: `${current} mA` },
  }
}

export const currentLoop: SensorFile = {
  messages: [
    {
      eventCode: 0x11,
      event: 'WIRELESS_420MA_CURRENT_LOOP_SENSOR',
      minimumLength: 3,
      decode: decodeCurrentLoop,
    },
  ],
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
