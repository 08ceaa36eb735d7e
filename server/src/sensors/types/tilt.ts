import { uint8 } from '../bytes.ts'
import { angle } from '../measurement.ts'
import { measurementMessage } from '../measurement-message.ts'
import type { Sensor } from '../sensor.ts'
import { bits, holdTime, number, sensorSection } from '../settings/section.ts'

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

const tiltMessage = measurementMessage({
  eventCode: 0x0a,
  event: 'TILT_EVENT',
  events,
  minimumLength: 2,
  fields: [
    {
      ...angle,
      max: 90,
      label: 'Tilt angle from vertical axis',
      read: uint8,
      at: 1,
      suffix: ' degrees',
      state: ' degrees',
    },
  ],
})

/*
 * | byte | meaning                                                                          |
 * |------|----------------------------------------------------------------------------------|
 * | 0    | disabled events: bit 0 to horizontal, bit 1 to vertical, bit 2 change toward     |
 * |      | horizontal, bit 3 change toward vertical; the last two by default                |
 * | 1    | angle from vertical that counts as horizontal, degrees                           |
 * | 2    | angle from vertical that counts as vertical, degrees                             |
 * | 3    | hold time of vertical, in 250 ms                                                 |
 * | 4    | hold time of horizontal, in 250 ms (inferred)                                    |
 * | 5    | change toward vertical, degrees (inferred)                                       |
 * | 6    | change toward horizontal, degrees (inferred)                                     |
 *
 * Source: support.radiobridge.com, configuration downlink of a tilt sensor; bytes 4 to 6 are in its
 * example only. Its explanation of that example swaps bits 0 and 1 against its own table; we follow
 * the table. It has no default angles. Ours are those of a garage door in the RBS306-TILT-HP manual
 * (manualshive 3287106, p. 11).
 */
const steepest = 90

const settings = sensorSection({
  command: 0x0a,
  fields: [
    bits({
      id: 1001,
      key: 'disabled_events',
      label: 'Disabled events',
      description: 'Events that are not sent. Left empty, both reports on change.',
      place: { byte: 0 },
      default: 0b1100,
      texts: ['To horizontal', 'To vertical', 'Change toward horizontal', 'Change toward vertical'],
    }),
    number({
      id: 1002,
      key: 'horizontal_angle',
      label: 'Angle of horizontal',
      description: 'Angle from vertical at which the sensor is horizontal. Left empty, 55 degrees.',
      place: { byte: 1 },
      default: 55,
      min: 0,
      max: steepest,
      unit: 'degrees',
    }),
    number({
      id: 1003,
      key: 'vertical_angle',
      label: 'Angle of vertical',
      description: 'Angle from vertical at which the sensor is vertical. Left empty, 35 degrees.',
      place: { byte: 2 },
      default: 35,
      min: 0,
      max: steepest,
      unit: 'degrees',
    }),
    holdTime({
      id: 1004,
      key: 'vertical_hold_time',
      label: 'Hold time of vertical',
      condition: 'it must stay vertical',
      place: { byte: 3 },
    }),
    holdTime({
      id: 1005,
      key: 'horizontal_hold_time',
      label: 'Hold time of horizontal',
      condition: 'it must stay horizontal',
      place: { byte: 4 },
      isInferred: true,
    }),
    number({
      id: 1006,
      key: 'change_toward_vertical',
      label: 'Change toward vertical',
      description:
        'An event when the angle has changed by this toward vertical, unless disabled. Left empty or 0, off.',
      place: { byte: 5 },
      default: 0,
      min: 0,
      max: steepest,
      unit: 'degrees',
      isInferred: true,
    }),
    number({
      id: 1007,
      key: 'change_toward_horizontal',
      label: 'Change toward horizontal',
      description:
        'An event when the angle has changed by this toward horizontal, unless disabled. Left empty or 0, off.',
      place: { byte: 6 },
      default: 0,
      min: 0,
      max: steepest,
      unit: 'degrees',
      isInferred: true,
    }),
  ],
})

export const tilt: Sensor = {
  messages: [tiltMessage],
  deviceTypes: [
    {
      typeId: 40,
      typeName: 'LoRa Tilt Sensor',
      partNumber: 'RBS301-TILT',
      otherPartNumbers: ['RBS3010xx09BN00'],
      typeCode: 0x09,
      settings,
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
