import type { Content, SensorFile } from './sensor.ts'

/*
 * Tamper (0x02): the case was opened or closed; only models with a tamper switch.
 *
 * | byte | meaning              |
 * |------|----------------------|
 * | 0    | 0 opened, 1 closed   |
 *
 * Source: Radio Bridge manuals, support.radiobridge.com and the decoder in
 * TheThingsNetwork/lorawan-devices. RadioBridge/Packet-Decoder has the two reversed.
 */
function decodeTamper(payload: Uint8Array): Content | undefined {
  if (payload[0] === 0) {
    return {
      description: 'Tamper opened',
      values: { state: 'open' },
      lines: ['Tamper opened'],
      status: { tamper: 'Yes' },
    }
  }
  if (payload[0] === 1) {
    return {
      description: 'Tamper closed',
      values: { state: 'closed' },
      lines: ['Tamper closed'],
      status: { tamper: 'No' },
    }
  }
  return undefined
}

export const tamper: SensorFile = {
  messages: [{ eventCode: 0x02, event: 'TAMPER', minimumLength: 1, decode: decodeTamper }],
  deviceTypes: [],
  examples: [
    {
      about: 'case opened',
      hex: '100200',
      gives: {
        event: 'TAMPER',
        description: 'Tamper opened',
        values: { state: 'open' },
        status: { tamper: 'Yes' },
      },
    },
    {
      about: 'case closed',
      hex: '110201',
      gives: { values: { state: 'closed' }, lines: ['Tamper closed'], status: { tamper: 'No' } },
    },
  ],
}
