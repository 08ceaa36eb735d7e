import { modeField } from '../settings/fields.ts'
import {
  decrease,
  increase,
  lowerThreshold,
  type Quantity,
  restoralMargin,
  upperThreshold,
} from '../settings/measurement-fields.ts'
import { periodicReportField } from '../settings/periods.ts'
import type { Section } from '../settings/section.ts'

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
const temperature: Quantity = {
  name: 'temperature',
  unit: '°C',
  isSigned: true,
  lowest: -128,
  highest: 127,
  largestChange: 255,
}

const humidity: Quantity = {
  name: 'humidity',
  unit: '%',
  lowest: 0,
  highest: 100,
  largestChange: 100,
}

export const airTemperatureHumiditySettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x0d,
  fields: [
    modeField(1301),
    periodicReportField(1302),
    restoralMargin(temperature, {
      id: 1303,
      byte: 2,
      key: 'temperature_margin',
      label: 'Restoral margin of the temperature',
      bits: { lowest: 0, count: 4 },
      default: 5,
    }),
    restoralMargin(humidity, {
      id: 1304,
      byte: 2,
      key: 'humidity_margin',
      label: 'Restoral margin of the humidity',
      bits: { lowest: 4, count: 4 },
      default: 5,
    }),
    lowerThreshold(temperature, {
      id: 1305,
      byte: 3,
      key: 'lower_temperature',
      label: 'Lower temperature threshold',
      default: 10,
    }),
    upperThreshold(temperature, {
      id: 1306,
      byte: 4,
      key: 'upper_temperature',
      label: 'Upper temperature threshold',
      default: 40,
    }),
    lowerThreshold(humidity, {
      id: 1307,
      byte: 5,
      key: 'lower_humidity',
      label: 'Lower humidity threshold',
      default: 40,
    }),
    upperThreshold(humidity, {
      id: 1308,
      byte: 6,
      key: 'upper_humidity',
      label: 'Upper humidity threshold',
      default: 60,
    }),
    increase(temperature, {
      id: 1309,
      byte: 3,
      key: 'temperature_increase',
      label: 'Temperature increase',
    }),
    decrease(temperature, {
      id: 1310,
      byte: 4,
      key: 'temperature_decrease',
      label: 'Temperature decrease',
    }),
    increase(humidity, {
      id: 1311,
      byte: 5,
      key: 'humidity_increase',
      label: 'Humidity increase',
    }),
    decrease(humidity, {
      id: 1312,
      byte: 6,
      key: 'humidity_decrease',
      label: 'Humidity decrease',
    }),
  ],
  ordered: [
    ['lower_temperature', 'upper_temperature'],
    ['lower_humidity', 'upper_humidity'],
  ],
}
