import { measurement } from '../measurement.ts'
import type { Content, Sensor } from '../sensor.ts'

/*
 * Glass break sensor: the event itself is the message, its payload is not used.
 *
 * Source: RadioBridge/Packet-Decoder, src/decoders/GlassBreak.ts.
 */
function decodeGlassBreak(): Content {
  return {
    description: 'Glass Break',
    values: { state: 'broken' },
    lines: ['Glass Break'],
    status: { current_sensor_state: 'Glass Break' },
  }
}

export const glassBreak: Sensor = {
  messages: [
    {
      eventCode: 0x05,
      event: 'GLASS_BREAK_EVENT',
      minimumLength: 0,
      decode: decodeGlassBreak,
      fields: [],
      measurements: [
        measurement('state', 'event', {
          label: 'Glass',
          words: [{ value: 'broken', text: 'Glass broken', status: 'Glass Break' }],
          isHeadline: true,
        }),
      ],
      codeKeys: ['state'],
    },
  ],
  deviceTypes: [
    {
      typeId: 110,
      typeName: 'Glass Break (low power)',
      partNumber: '',
      typeCode: 0x0c,
    },
  ],
  examples: [
    {
      about: 'a broken window',
      hex: '1805',
      gives: {
        event: 'GLASS_BREAK_EVENT',
        description: 'Glass Break',
        values: { state: 'broken' },
        lines: ['Glass Break'],
        status: { current_sensor_state: 'Glass Break' },
      },
    },
  ],
}
