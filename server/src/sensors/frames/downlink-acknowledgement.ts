import { uint8 } from '../bytes.ts'
import { type Measurement, measurement } from '../measurement.ts'
import type { Content, DownlinkAcknowledgement, Layout, PayloadField } from '../sensor.ts'

/*
 * Downlink acknowledgement (0xFF): the answer of every sensor to a configuration downlink.
 *
 * | byte | meaning                                                               |
 * |------|-----------------------------------------------------------------------|
 * | 0    | status code, see `refusals`; 2 valid, 3 valid without errors          |
 * | 1-8  | the downlink repeated; newer firmware, with codes from 3 on           |
 *
 * Source: RBS3010NA0EBN0 manual (manualslib 3247730) p. 12-15; codes from 3 on:
 * RadioBridge/Packet-Decoder, src/decoders.
 */
const refusals: Record<number, string> = {
  4: 'the command is not supported',
  5: 'reserved bits and bytes must be zero',
  6: 'a byte is out of range',
  7: 'an option byte is not supported',
  8: 'confirmed uplinks are not supported in this region',
  9: 'confirmed uplinks allow at most 8 retries',
  10: 'unconfirmed uplinks allow at most 1 retry',
  11: 'the port must be 1 to 223, or 0 for the default',
  12: 'the sensor type is not supported on this device',
  13: 'miscellaneous error',
  14: 'the link quality period must be longer than 60 minutes',
}

const echoLength = 8

function decodeAcknowledgement(payload: Uint8Array): Content {
  const status = uint8(payload, 0)
  const accepted = status === 2 || status === 3
  const description = describe(status)
  const acknowledgement: DownlinkAcknowledgement = { status, accepted }
  const values: Content['values'] = { status, accepted }
  const lines = [description]
  if (status >= 3 && payload.length > echoLength) {
    const echo = payload.subarray(1, 1 + echoLength).toHex()
    acknowledgement.echo = echo
    values.echo = echo
    lines.push(`Downlink: ${echo}`)
  }
  return {
    description,
    values,
    lines,
    status: { config_error: accepted ? 'No' : 'Yes' },
    acknowledgement,
  }
}

const measurements: readonly Measurement[] = [
  measurement('status', 'code', { label: 'Status code' }),
  measurement('accepted', 'state'),
  measurement('echo', 'text', { label: 'Downlink repeated' }),
]

const fields: readonly PayloadField[] = [
  {
    label: 'Status code',
    at: 0,
    keys: ['status', 'eventDescription', 'accepted'],
    texts: Array.from({ length: 15 }, (_, status) => describe(status)),
  },
  {
    label: 'Downlink repeated',
    at: 1,
    length: echoLength,
    keys: ['echo'],
    only: {
      when: 'the status code is 3 or more and the firmware repeats it',
      holds: (payload) => uint8(payload, 0) >= 3,
    },
  },
]

function describe(status: number): string {
  if (status === 0) return 'No downlink message received'
  if (status === 1) return 'Downlink message invalid'
  if (status === 2) return 'Downlink message valid'
  if (status === 3) return 'Downlink message valid, no errors'
  // Unknown codes of newer firmware are refusals, too: they end the wait for an answer.
  return `Downlink message invalid: ${refusals[status] ?? `error ${status}`}`
}

export const downlinkAcknowledgement: Layout = {
  messages: [
    {
      eventCode: 0xff,
      event: 'DOWNLINK',
      minimumLength: 1,
      decode: decodeAcknowledgement,
      fields,
      measurements,
    },
  ],
  examples: [
    {
      about: 'accepted, with the downlink repeated',
      hex: '16ff0311019e0000000000',
      gives: {
        event: 'DOWNLINK',
        description: 'Downlink message valid, no errors',
        values: { status: 3, accepted: true, echo: '11019e0000000000' },
        lines: ['Downlink message valid, no errors', 'Downlink: 11019e0000000000'],
        status: { config_error: 'No' },
        acknowledgement: { status: 3, accepted: true, echo: '11019e0000000000' },
      },
    },
    {
      about: 'accepted by old firmware',
      hex: '10ff02',
      gives: {
        description: 'Downlink message valid',
        acknowledgement: { status: 2, accepted: true },
      },
    },
    {
      about: 'refused, with the reason',
      hex: '18ff0b0600080708070800',
      gives: {
        description: 'Downlink message invalid: the port must be 1 to 223, or 0 for the default',
        status: { config_error: 'Yes' },
        acknowledgement: { status: 11, accepted: false, echo: '0600080708070800' },
      },
    },
    {
      about: 'refused with a code that is not published',
      hex: '18ff20',
      gives: {
        description: 'Downlink message invalid: error 32',
        status: { config_error: 'Yes' },
        acknowledgement: { status: 32, accepted: false },
      },
    },
  ],
}
