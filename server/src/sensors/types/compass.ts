import { int8, uint16 } from '../bytes.ts'
import { innerTemperature } from '../measurement.ts'
import { measurementMessage, reportEvents, temperatureMarks } from '../measurement-message.ts'
import type { Sensor } from '../sensor.ts'

/*
 * Compass.
 *
 * | byte | meaning                                                                      |
 * |------|------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 above threshold, 2 below threshold, 3 and 4 change up, down    |
 * | 1-2  | heading, degrees                                                             |
 * | 3    | °C, two's complement; 0x7F above range, 0x80 below it                        |
 *
 * Source: RadioBridge/Packet-Decoder, src/decoders/CompassSensor.ts. That decoder prints the
 * temperature without a sign; the maker's other sensors use two's complement.
 */
const compassMessage = measurementMessage({
  eventCode: 0x1a,
  event: 'COMPASS_SENSOR',
  title: 'Compass Event',
  events: reportEvents('Heading'),
  minimumLength: 4,
  fields: [
    {
      key: 'heading',
      unit: '°',
      quantity: 'direction',
      min: 0,
      max: 360,
      label: 'Heading',
      read: uint16,
      at: 1,
      suffix: ' degrees',
      state: ' degrees',
    },
    {
      ...innerTemperature,
      label: 'Temperature in degrees Celsius',
      read: int8,
      at: 3,
      suffix: ' C',
      marks: temperatureMarks,
    },
  ],
})

export const compass: Sensor = {
  messages: [compassMessage],
  deviceTypes: [
    {
      typeId: 123,
      typeName: 'Compass',
      partNumber: 'RBS301-CMPS',
      otherPartNumbers: ['RBS306-CMPS'],
    },
  ],
  examples: [
    {
      about: 'too cold to be measured',
      hex: '101a00010e80',
      gives: { values: { heading: 270, temperatureRange: 'below range' } },
    },
    {
      about: 'turned to the west',
      hex: '101a03010e15',
      gives: {
        event: 'COMPASS_SENSOR',
        description: 'Report on change increase',
        values: { heading: 270, temperature: 21 },
        lines: [
          'Compass Event: Report on change increase',
          'Heading: 270 degrees',
          'Temperature in degrees Celsius: 21 C',
        ],
        status: { current_sensor_state: '270 degrees' },
      },
    },
  ],
}
