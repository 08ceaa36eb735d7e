import { uint16 } from '../bytes.ts'
import { measuringMessage } from '../measurement-message.ts'
import { reportEvents } from '../report-events.ts'
import type { SensorFile } from '../sensor.ts'
import { voltageSettings } from './voltage-settings.ts'

/*
 * Voltage sensor.
 *
 * | byte | meaning                                                                      |
 * |------|------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 above threshold, 2 below threshold, 3 and 4 change up, down    |
 * | 1-2  | voltage in units of 10 mV, 0 to 3000                                         |
 *
 * Source: RBS306-VM30 manual (manualslib 3289713) p. 8-10. An article of support.radiobridge.com
 * prints a tenth of what this unit gives.
 */
const voltageMessage = measuringMessage({
  eventCode: 0x14,
  event: 'VOLTAGE_SENSOR',
  title: 'Voltage Event',
  events: reportEvents('Analog measurement'),
  minimumLength: 3,
  fields: [
    {
      key: 'voltage',
      label: 'Voltage Measurement',
      read: uint16,
      at: 1,
      per: 100,
      suffix: ' Volts',
      state: ' V',
    },
  ],
})

export const voltage: SensorFile = {
  messages: [voltageMessage],
  deviceTypes: [
    {
      typeId: 119,
      typeName: 'Voltage 0-30 V',
      partNumber: 'RBS306-VM30',
      typeCode: 0x14,
      eventCodes: [0x14],
      settings: voltageSettings,
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
