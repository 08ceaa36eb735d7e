import { uint8 } from '../bytes.ts'
import { measuringMessage } from '../measurement-message.ts'
import type { SensorFile } from '../sensor.ts'
import { tiltSettings } from './tilt-settings.ts'

/*
 * Tilt sensor.
 *
 * | byte | meaning                                                                        |
 * |------|--------------------------------------------------------------------------------|
 * | 0    | 0 to vertical, 1 to horizontal, 2 change toward vertical, 3 toward horizontal  |
 * | 1    | angle from the vertical axis, degrees, 0 to 90                                 |
 *
 * Source: support.radiobridge.com, decoding of a tilt event.
 */
const events = [
  'Sensor transitioned to vertical',
  'Sensor transitioned to horizontal',
  'Report on change toward vertical',
  'Report on change toward horizontal',
]

const tiltMessage = measuringMessage({
  eventCode: 0x0a,
  event: 'TILT_EVENT',
  events,
  minimumLength: 2,
  fields: [
    {
      key: 'angle',
      label: 'Tilt angle from vertical axis',
      read: uint8,
      at: 1,
      suffix: ' degrees',
      state: ' degrees',
    },
  ],
})

export const tilt: SensorFile = {
  messages: [tiltMessage],
  deviceTypes: [
    {
      typeId: 40,
      typeName: 'LoRa Tilt Sensor',
      partNumber: 'RBS301-TILT',
      otherPartNumbers: ['RBS3010xx09BN00'],
      typeCode: 0x09,
      eventCodes: [0x0a],
      settings: tiltSettings,
    },
  ],
  examples: [
    {
      about: 'tipped over',
      hex: '100a0153',
      gives: {
        event: 'TILT_EVENT',
        description: 'Sensor transitioned to horizontal',
        values: { angle: 83 },
        lines: ['Sensor transitioned to horizontal', 'Tilt angle from vertical axis: 83 degrees'],
        status: { current_sensor_state: '83 degrees' },
      },
    },
    {
      about: 'moved a little toward vertical',
      hex: '150a0219',
      gives: { description: 'Report on change toward vertical', values: { angle: 25 } },
    },
  ],
}
