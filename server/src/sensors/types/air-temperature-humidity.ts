import { signedTenths, tenths } from '../bytes.ts'
import { measuringMessage } from '../measurement-message.ts'
import { quantityEvents } from '../report-events.ts'
import type { SensorFile } from '../sensor.ts'
import { airTemperatureHumiditySettings } from './air-temperature-humidity-settings.ts'

/*
 * Air temperature and humidity.
 *
 * | byte | meaning                                                                              |
 * |------|--------------------------------------------------------------------------------------|
 * | 0    | 0 periodic; temperature 1 above, 2 below threshold, 3 increase, 4 decrease;          |
 * |      | humidity 5 above, 6 below threshold, 7 increase, 8 decrease                          |
 * | 1    | °C: sign in bit 7, magnitude below it; not two's complement                          |
 * | 2    | tenths of °C in the high nibble                                                      |
 * | 3    | relative humidity, %                                                                 |
 * | 4    | tenths of % in the high nibble                                                       |
 *
 * Source: RBS3010NA0EBN0 manual (manualslib 3247730) and support.radiobridge.com.
 * RadioBridge/Packet-Decoder loses part of the humidity's tenths.
 */
const events = ['Periodic Report', ...quantityEvents('Temperature'), ...quantityEvents('Humidity')]

const airTemperatureHumidityMessage = measuringMessage({
  eventCode: 0x0d,
  event: 'AIR_TEMP_HUMIDITY_SENSOR',
  events,
  minimumLength: 5,
  fields: [
    {
      key: 'temperature',
      label: 'Current temperature in degrees Celsius',
      read: signedTenths,
      at: 1,
      suffix: '',
      state: ' C',
    },
    {
      key: 'humidity',
      label: 'Humidity in % relative humidity',
      read: tenths,
      at: 3,
      suffix: '',
      state: ' %',
    },
  ],
})

export const airTemperatureHumidity: SensorFile = {
  messages: [airTemperatureHumidityMessage],
  deviceTypes: [
    {
      typeId: 112,
      typeName: 'Air Temperature & Humidity',
      partNumber: 'RBS305-ATH',
      otherPartNumbers: ['RBS3010xx0EBN00'],
      typeCode: 0x0e,
      eventCodes: [0x0d],
      settings: airTemperatureHumiditySettings,
    },
    {
      typeId: 113,
      typeName: 'Ext-probe Air Temperature & Humidity (armored)',
      partNumber: 'RBS306-ATH-EXT',
      typeCode: 0x12,
      eventCodes: [0x0d],
      settings: airTemperatureHumiditySettings,
    },
  ],
  examples: [
    {
      about: 'too humid',
      hex: '100d0517703d80',
      gives: {
        event: 'AIR_TEMP_HUMIDITY_SENSOR',
        description: 'Humidity has risen above upper threshold',
        values: { temperature: 23.7, humidity: 61.8 },
        lines: [
          'Humidity has risen above upper threshold',
          'Current temperature in degrees Celsius: 23.7',
          'Humidity in % relative humidity: 61.8',
        ],
        status: { current_sensor_state: '23.7 C, 61.8 %' },
      },
    },
    {
      about: 'freezing',
      hex: '130d028f603c00',
      gives: { values: { temperature: -15.6, humidity: 60 } },
    },
    {
      about: 'all tenths of the humidity count',
      hex: '140d0096004450',
      gives: { values: { temperature: -22, humidity: 68.5 } },
    },
  ],
}
