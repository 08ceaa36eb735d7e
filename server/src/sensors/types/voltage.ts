import { uint16 } from '../bytes.ts'
import { measurementMessage, reportEvents } from '../measurement-message.ts'
import type { Sensor } from '../sensor.ts'
import {
  measurementSettings,
  type Quantity,
  restoralMargin,
} from '../settings/measurement-fields.ts'

/*
 * Voltage sensor.
 *
 * | byte | meaning                                                                      |
 * |------|------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 above threshold, 2 below threshold, 3 and 4 change up, down    |
 * | 1-2  | voltage in units of 10 mV, 0 to 3000                                         |
 *
 * Source: RBS306-VM30 manual (manualslib 3289713) p. 8-10. An article of support.radiobridge.com
 * prints a tenth of the value in this unit.
 */
const voltageMessage = measurementMessage({
  eventCode: 0x14,
  event: 'VOLTAGE_SENSOR',
  title: 'Voltage Event',
  events: reportEvents('Analog measurement'),
  minimumLength: 3,
  fields: [
    {
      key: 'voltage',
      unit: 'V',
      quantity: 'voltage',
      min: 0,
      label: 'Voltage Measurement',
      read: uint16,
      at: 1,
      per: 100,
      suffix: ' Volts',
      state: ' V',
    },
  ],
})

/*
 * | byte | thresholds                   | report on change             |
 * |------|------------------------------|------------------------------|
 * | 0    | 0                            | 1                            |
 * | 1    | period                       | period                       |
 * | 2    | restoral margin, 10 mV       | not used                     |
 * | 3-4  | lower threshold, 10 mV       | increase, 10 mV; 0 off       |
 * | 5-6  | upper threshold, 10 mV       | decrease, 10 mV; 0 off       |
 *
 * Source: RBS306-VM30 manual (manualslib 3289713) p. 8-10. It does not name the unit of the margin;
 * an article of support.radiobridge.com reads it as 1 mV. We use the unit of the thresholds, as in
 * the current loop sensor.
 */
const highest = 30

const volts: Quantity = {
  name: 'voltage',
  unit: 'V',
  scale: 100,
  length: 2,
  lowest: 0,
  highest,
  largestChange: highest,
}

const settings = measurementSettings(volts, {
  command: 0x14,
  firstId: 2001,
  damping: restoralMargin(volts, {
    id: 2003,
    byte: 2,
    default: 0.1,
    isInferred: true,
    note: 'Sources differ on the unit of this margin: 10 mV, taken here, or 1 mV.',
  }),
  lower: { default: 10 },
  upper: { default: 12 },
})

export const voltage: Sensor = {
  messages: [voltageMessage],
  deviceTypes: [
    {
      typeId: 119,
      typeName: 'Voltage 0-30 V',
      partNumber: 'RBS306-VM30',
      typeCode: 0x14,
      settings,
    },
  ],
  examples: [
    {
      about: 'periodic report',
      hex: '1014000810',
      gives: {
        event: 'VOLTAGE_SENSOR',
        description: 'Periodic Report',
        values: { voltage: 20.64 },
        lines: ['Voltage Event: Periodic Report', 'Voltage Measurement: 20.64 Volts'],
        status: { current_sensor_state: '20.64 V' },
      },
    },
  ],
}
