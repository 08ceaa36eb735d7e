import type { Layout } from '../sensor.ts'
import { stateMessage } from '../state-message.ts'

/*
 * Tamper (0x02): the case was opened or closed. Only models with a tamper switch send it.
 *
 * | byte | meaning              |
 * |------|----------------------|
 * | 0    | 0 opened, 1 closed   |
 *
 * Source: Radio Bridge manuals, support.radiobridge.com and the decoder in
 * TheThingsNetwork/lorawan-devices. RadioBridge/Packet-Decoder has the two reversed.
 */
const tamperMessage = stateMessage({
  eventCode: 0x02,
  event: 'TAMPER',
  measures: { label: 'Tamper' },
  states: [
    { state: 'open', description: 'Tamper opened', status: { tamper: 'Yes' } },
    { state: 'closed', description: 'Tamper closed', status: { tamper: 'No' } },
  ],
})

export const tamper: Layout = {
  messages: [tamperMessage],
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
