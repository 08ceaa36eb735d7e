import { periodicReportField } from './periods.ts'
import { inChangeMode, inThresholdMode, modeField, number } from './setting-fields.ts'
import type { NumberField, Section } from './settings.ts'

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
interface Cell {
  id: number
  key: string
  label: string
  byte: number
}

function threshold(
  cell: Cell & { default: number; about: string; isHumidity?: true },
): NumberField {
  const { id, key, label, byte, about, isHumidity } = cell
  const unit = isHumidity ? '%' : '°C'
  return number({
    id,
    key,
    label,
    description: `An event when the ${about} it. Left empty, ${cell.default} ${unit}.`,
    place: isHumidity ? { byte } : { byte, coding: 'signed' },
    default: cell.default,
    onlyWhen: inThresholdMode,
    min: isHumidity ? 0 : -128,
    max: isHumidity ? 100 : 127,
    unit,
  })
}

function margin(cell: Omit<Cell, 'byte'> & { lowest: number; unit: string }): NumberField {
  const { id, key, label, lowest, unit } = cell
  return number({
    id,
    key,
    label,
    description: `How far the measurement must come back past a threshold before the next event. Left empty, 5 ${unit}.`,
    place: { byte: 2, bits: { lowest, count: 4 } },
    default: 5,
    onlyWhen: inThresholdMode,
    min: 0,
    max: 15,
    unit,
  })
}

function change({ id, key, label, byte }: Cell): NumberField {
  const isHumidity = byte > 4
  return number({
    id,
    key,
    label,
    description: 'An event when the measurement has changed by this. Left empty or 0, off.',
    place: { byte },
    default: 0,
    onlyWhen: inChangeMode,
    min: 0,
    max: isHumidity ? 100 : 255,
    unit: isHumidity ? '%' : '°C',
  })
}

export const airTemperatureHumiditySettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x0d,
  fields: [
    modeField(1301),
    periodicReportField(1302),
    margin({
      id: 1303,
      key: 'temperature_margin',
      label: 'Restoral margin of the temperature',
      lowest: 0,
      unit: '°C',
    }),
    margin({
      id: 1304,
      key: 'humidity_margin',
      label: 'Restoral margin of the humidity',
      lowest: 4,
      unit: '%',
    }),
    threshold({
      id: 1305,
      key: 'lower_temperature',
      label: 'Lower temperature threshold',
      byte: 3,
      default: 10,
      about: 'temperature falls below',
    }),
    threshold({
      id: 1306,
      key: 'upper_temperature',
      label: 'Upper temperature threshold',
      byte: 4,
      default: 40,
      about: 'temperature rises above',
    }),
    threshold({
      id: 1307,
      key: 'lower_humidity',
      label: 'Lower humidity threshold',
      byte: 5,
      default: 40,
      about: 'humidity falls below',
      isHumidity: true,
    }),
    threshold({
      id: 1308,
      key: 'upper_humidity',
      label: 'Upper humidity threshold',
      byte: 6,
      default: 60,
      about: 'humidity rises above',
      isHumidity: true,
    }),
    change({ id: 1309, key: 'temperature_increase', label: 'Temperature increase', byte: 3 }),
    change({ id: 1310, key: 'temperature_decrease', label: 'Temperature decrease', byte: 4 }),
    change({ id: 1311, key: 'humidity_increase', label: 'Humidity increase', byte: 5 }),
    change({ id: 1312, key: 'humidity_decrease', label: 'Humidity decrease', byte: 6 }),
  ],
  ordered: [
    ['lower_temperature', 'upper_temperature'],
    ['lower_humidity', 'upper_humidity'],
  ],
}
