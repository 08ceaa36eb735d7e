import { signedTenths, tenths } from '../bytes.ts'
import { airTemperature, humidity } from '../measurement.ts'
import {
  humidityMarks,
  measurementMessage,
  quantityEvents,
  signedTemperatureMarks,
} from '../measurement-message.ts'
import type { Sensor } from '../sensor.ts'
import {
  decrease,
  increase,
  lowerThreshold,
  modeField,
  periodicReportField,
  type Quantity,
  restoralMargin,
  upperThreshold,
} from '../settings/measurement-fields.ts'
import { sensorSection } from '../settings/section.ts'

/*
 * Air temperature and humidity.
 *
 * | byte | meaning                                                                              |
 * |------|--------------------------------------------------------------------------------------|
 * | 0    | 0 periodic; temperature 1 above, 2 below threshold, 3 increase, 4 decrease;          |
 * |      | humidity 5 above, 6 below threshold, 7 increase, 8 decrease                          |
 * | 1    | °C: sign in bit 7, magnitude below it; not two's complement. 0x7F above range, and   |
 * |      | 0x80 without tenths below it                                                         |
 * | 2    | tenths of °C in the high nibble                                                      |
 * | 3    | relative humidity, %; more than 100 is above range                                   |
 * | 4    | tenths of % in the high nibble                                                       |
 *
 * Source: RBS3010NA0EBN0 manual (manualslib 3247730) and support.radiobridge.com.
 * RadioBridge/Packet-Decoder loses part of the humidity's tenths.
 */
const events = ['Periodic Report', ...quantityEvents('Temperature'), ...quantityEvents('Humidity')]

const airTemperatureHumidityMessage = measurementMessage({
  eventCode: 0x0d,
  event: 'AIR_TEMP_HUMIDITY_SENSOR',
  events,
  minimumLength: 5,
  fields: [
    {
      ...airTemperature,
      label: 'Current temperature in degrees Celsius',
      read: signedTenths,
      at: 1,
      state: ' C',
      marks: signedTemperatureMarks,
    },
    {
      ...humidity,
      label: 'Humidity in % relative humidity',
      read: tenths,
      at: 3,
      state: ' %',
      marks: humidityMarks,
    },
  ],
})

/*
 * | byte | thresholds                                             | report on change             |
 * |------|--------------------------------------------------------|------------------------------|
 * | 0    | 0                                                      | 1                            |
 * | 1    | period                                                 | period                       |
 * | 2    | restoral margins: bits 7:4 humidity, 3:0 temperature   | not used                     |
 * | 3    | lower temperature, °C, two's complement                | temperature increase; 0 off  |
 * | 4    | upper temperature, °C, two's complement                | temperature decrease; 0 off  |
 * | 5    | lower humidity, %                                      | humidity increase; 0 off     |
 * | 6    | upper humidity, %                                      | humidity decrease; 0 off     |
 *
 * Source: support.radiobridge.com, configuration downlink of an air temperature and humidity
 * sensor. It gives no range of the thresholds but their coding.
 */
const degrees: Quantity = {
  name: 'temperature',
  unit: '°C',
  isSigned: true,
  lowest: -128,
  highest: 127,
  largestChange: 255,
  isOneOfSeveral: true,
}

const relativeHumidity: Quantity = {
  name: 'humidity',
  unit: '%',
  lowest: 0,
  highest: 100,
  largestChange: 100,
  isOneOfSeveral: true,
}

const settings = sensorSection({
  command: 0x0d,
  fields: [
    modeField(1301),
    periodicReportField(1302),
    restoralMargin(degrees, { id: 1303, byte: 2, bits: { lowest: 0, count: 4 }, default: 5 }),
    restoralMargin(relativeHumidity, {
      id: 1304,
      byte: 2,
      bits: { lowest: 4, count: 4 },
      default: 5,
    }),
    lowerThreshold(degrees, { id: 1305, byte: 3, default: 10 }),
    upperThreshold(degrees, { id: 1306, byte: 4, default: 40 }),
    lowerThreshold(relativeHumidity, { id: 1307, byte: 5, default: 40 }),
    upperThreshold(relativeHumidity, { id: 1308, byte: 6, default: 60 }),
    increase(degrees, { id: 1309, byte: 3 }),
    decrease(degrees, { id: 1310, byte: 4 }),
    increase(relativeHumidity, { id: 1311, byte: 5 }),
    decrease(relativeHumidity, { id: 1312, byte: 6 }),
  ],
  ordered: [
    ['lower_temperature', 'upper_temperature'],
    ['lower_humidity', 'upper_humidity'],
  ],
})

export const airTemperatureHumidity: Sensor = {
  messages: [airTemperatureHumidityMessage],
  deviceTypes: [
    {
      typeId: 112,
      typeName: 'Air Temperature & Humidity',
      partNumber: 'RBS305-ATH',
      otherPartNumbers: ['RBS3010xx0EBN00'],
      typeCode: 0x0e,
      settings,
    },
    {
      typeId: 113,
      typeName: 'Ext-probe Air Temperature & Humidity (armored)',
      partNumber: 'RBS306-ATH-EXT',
      typeCode: 0x12,
      settings,
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
      about: 'warmer than the sensor can measure',
      hex: '100d007f005050',
      gives: {
        values: { temperatureRange: 'above range', humidity: 80.5 },
        lines: [
          'Periodic Report',
          'Current temperature in degrees Celsius: above range',
          'Humidity in % relative humidity: 80.5',
        ],
        status: { current_sensor_state: 'temperature above range, 80.5 %' },
      },
    },
    {
      about: 'colder than the sensor can measure, and a humidity that cannot be',
      hex: '100d008000ff00',
      gives: { values: { temperatureRange: 'below range', humidityRange: 'above range' } },
    },
    {
      about: 'half a degree below 0, and saturated air',
      hex: '100d0080506400',
      gives: { values: { temperature: -0.5, humidity: 100 } },
    },
    {
      about: 'all tenths of the humidity count',
      hex: '140d0096004450',
      gives: { values: { temperature: -22, humidity: 68.5 } },
    },
  ],
}
