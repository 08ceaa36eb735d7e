import { uint8, uint16 } from './bytes.ts'
import { reportEvents } from './report-events.ts'
import type { Content, SensorFile } from './sensor.ts'
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
const events = reportEvents('Analog measurement')

function decodeVoltage(payload: Uint8Array): Content | undefined {
  const description = events[uint8(payload, 0)]
  if (!description) return undefined
  const voltage = uint16(payload, 1) / 100
  return {
    description,
    values: { voltage },
    lines: [`Voltage Event: ${description}`, `Voltage Measurement: ${voltage} Volts`],
    status: { current_sensor_state: `${voltage} V` },
  }
}

export const voltage: SensorFile = {
  messages: [{ eventCode: 0x14, event: 'VOLTAGE_SENSOR', minimumLength: 3, decode: decodeVoltage }],
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
