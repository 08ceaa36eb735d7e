import { measurement } from '../measurement.ts'
import type { Content, Layout, Message } from '../sensor.ts'

/*
 * Messages for the maker's own service. Their payload is not published.
 *
 * | code | meaning                                                                              |
 * |------|--------------------------------------------------------------------------------------|
 * | FD   | current sensor state; a test message in older firmware                               |
 * | FE   | end of the test mode, "manufacturing test message"                                   |
 *
 * Source: RadioBridge/Packet-Decoder, src/lib/IdentifyEventType.ts and src/decoders; the test
 * message: the Radio Bridge decoder of TheThingsNetwork/lorawan-devices, which does not decode it.
 */
function messageWithPayload(eventCode: number, event: string, description: string): Message {
  return {
    eventCode,
    event,
    minimumLength: 0,
    fields: [
      { label: 'Payload', at: 0, length: 'rest', keys: ['payload'], coding: 'not published' },
    ],
    measurements: [measurement('payload', 'text')],
    decode: (bytes) => showPayload(description, bytes.toHex()),
  }
}

function showPayload(description: string, payload: string): Content {
  if (payload === '') return { description, values: {}, lines: [description], status: {} }
  const lines = [description, `Payload: ${payload}`]
  return { description, values: { payload }, lines, status: {} }
}

export const serviceMessages: Layout = {
  messages: [
    messageWithPayload(0xfd, 'CURRENT_SENSOR_STATE', 'Current sensor state'),
    messageWithPayload(0xfe, 'TEST_MODE_EXIT', 'Manufacturing test message'),
  ],
  examples: [
    {
      about: 'a state that only the maker can read',
      hex: '10fd0102',
      gives: {
        event: 'CURRENT_SENSOR_STATE',
        description: 'Current sensor state',
        values: { payload: '0102' },
        lines: ['Current sensor state', 'Payload: 0102'],
        status: {},
      },
    },
    {
      about: 'out of the factory',
      hex: '10fe',
      gives: {
        event: 'TEST_MODE_EXIT',
        description: 'Manufacturing test message',
        values: {},
        lines: ['Manufacturing test message'],
        status: {},
      },
    },
  ],
}
