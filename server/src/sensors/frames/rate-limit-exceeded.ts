import type { Content, Layout } from '../sensor.ts'

/*
 * Rate limit exceeded (0xFC): older firmware dropped messages to keep its limit. The payload is not
 * published. The next supervisory message ends the state.
 *
 * Source: RadioBridge/Packet-Decoder, src/lib/IdentifyEventType.ts.
 */
function decodeRateLimit(): Content {
  return {
    description: 'Rate limit exceeded',
    values: {},
    lines: ['Rate limit exceeded'],
    status: { rate_limit_status: 'Yes' },
  }
}

export const rateLimitExceeded: Layout = {
  messages: [
    {
      eventCode: 0xfc,
      event: 'RATE_LIMIT_EXCEEDED',
      minimumLength: 0,
      decode: decodeRateLimit,
      fields: [],
      measurements: [],
    },
  ],
  examples: [
    {
      about: 'too many messages',
      hex: '12fc',
      gives: {
        event: 'RATE_LIMIT_EXCEEDED',
        description: 'Rate limit exceeded',
        values: {},
        lines: ['Rate limit exceeded'],
        status: { rate_limit_status: 'Yes' },
      },
    },
  ],
}
