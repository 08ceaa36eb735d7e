import { signedTenths } from '../bytes.ts'
import { airTemperature } from '../measurement.ts'
import {
  measurementMessage,
  quantityEvents,
  signedTemperatureMarks,
} from '../measurement-message.ts'
import type { Sensor } from '../sensor.ts'

/*
 * Internal temperature: the chip measures it, without a probe.
 *
 * | byte | meaning                                                                              |
 * |------|--------------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 above threshold, 2 below threshold, 3 and 4 change up, down, 5 shake   |
 * | 1    | °C: sign in bit 7, magnitude below it; not two's complement. 0x7F above range, and   |
 * |      | 0x80 without tenths below it                                                         |
 * | 2    | tenths of °C in the high nibble                                                      |
 *
 * Source: RadioBridge/Packet-Decoder, tests/AirTemperatureAndHumiditySensor.test.ts.
 */
const events = ['Periodic Report', ...quantityEvents('Temperature'), 'Shake Message']

const internalTemperatureMessage = measurementMessage({
  eventCode: 0x19,
  event: 'INTERNAL_TEMPERATURE',
  events,
  minimumLength: 3,
  fields: [
    {
      ...airTemperature,
      label: 'Current temperature in degrees Celsius',
      read: signedTenths,
      at: 1,
      state: ' C',
      marks: signedTemperatureMarks,
    },
  ],
})

export const internalTemperature: Sensor = {
  messages: [internalTemperatureMessage],
  deviceTypes: [
    {
      typeId: 104,
      typeName: 'Probeless / Internal Temperature',
      partNumber: 'RBS301-TEMP-INT',
      otherPartNumbers: ['RBS3010xx19BN00'],
      typeCode: 0x19,
    },
  ],
  examples: [
    {
      about: 'in a freezer',
      hex: '1219009630',
      gives: {
        event: 'INTERNAL_TEMPERATURE',
        description: 'Periodic Report',
        values: { temperature: -22.3 },
        lines: ['Periodic Report', 'Current temperature in degrees Celsius: -22.3'],
        status: { current_sensor_state: '-22.3 C' },
      },
    },
    {
      about: 'too hot to be measured',
      hex: '1219007f00',
      gives: {
        values: { temperatureRange: 'above range' },
        status: { current_sensor_state: 'temperature above range' },
      },
    },
    {
      about: 'too cold to be measured',
      hex: '1219008000',
      gives: { values: { temperatureRange: 'below range' } },
    },
    {
      about: 'shaken by hand',
      hex: '1319051550',
      gives: { description: 'Shake Message', values: { temperature: 21.5 } },
    },
  ],
}
