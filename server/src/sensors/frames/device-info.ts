import { uint8 } from '../bytes.ts'
import { type Measurement, measurement } from '../measurement.ts'
import type { Content, FramePart, Layout, PayloadField } from '../sensor.ts'

/*
 * Device info (0xFA): the configuration that the sensor has stored, sent on request (downlink 0xED,
 * firmware 3.0 and newer). One packet for each stored downlink; all packets are one message.
 *
 * | byte | meaning                                                                            |
 * |------|------------------------------------------------------------------------------------|
 * | 0    | number of this packet (high nibble) of so many (low nibble); 10: general           |
 * |      | configuration, 20: manufacturing lot                                               |
 * | 1-   | the stored downlink, its command first; all FF: none                               |
 *
 * Source: RadioBridge/Packet-Decoder, src/decoders, and the Radio Bridge decoder of
 * TheThingsNetwork/lorawan-devices v1.4.
 */
const contents: Record<number, string> = { 16: 'configuration', 32: 'manufacturing lot' }

function decodeDeviceInfo(payload: Uint8Array): Content {
  const { packet, total } = numbersOf(payload)
  const stored = payload.subarray(1)
  const content = contents[uint8(payload, 0)] ?? `packet ${packet} of ${total}`
  const description = `Device info: ${content}`
  const values = { packet, total, stored: isSet(stored) ? Array.from(stored) : [] }
  return { description, values, lines: [description, describeStored(stored)], status: {} }
}

const measurements: readonly Measurement[] = [
  measurement('packet', 'code'),
  measurement('total', 'code', { label: 'Packets' }),
  measurement('stored', 'code', { label: 'Stored downlink' }),
  measurement('isComplete', 'state', { label: 'Complete' }),
  measurement('configuration', 'text'),
]

const fields: readonly PayloadField[] = [
  {
    label: 'Packet',
    at: 0,
    bits: { lowest: 4, count: 4 },
    keys: ['packet', 'eventDescription'],
  },
  {
    label: 'Of so many',
    at: 0,
    bits: { lowest: 0, count: 4 },
    keys: ['total', 'eventDescription'],
  },
  {
    label: 'Stored downlink',
    at: 1,
    length: 'rest',
    keys: ['stored'],
    coding: 'its command first; all FF: none',
    describe: (payload) => describeStored(payload.subarray(1)),
  },
]

function numbersOf(payload: Uint8Array): { packet: number; total: number } {
  const first = uint8(payload, 0)
  return { packet: first >> 4, total: first & 0x0f }
}

function isSet(stored: Uint8Array): boolean {
  return stored.some((byte) => byte !== 0xff)
}

function describeStored(stored: Uint8Array): string {
  return isSet(stored) ? `Stored: ${stored.toHex()}` : 'Stored: nothing'
}

function placeOf(payload: Uint8Array): { group: string; number: number } | undefined {
  const { packet, total } = numbersOf(payload)
  if (total < 2 || packet < 1 || packet > total) return undefined
  return { group: `info${total}`, number: packet }
}

/** Lists the stored downlinks of all packets received so far. */
function completeDeviceInfo(content: Content, parts: readonly FramePart[]): Content | undefined {
  if (parts.length < 2) return undefined
  const all = parts.map(({ payload }) => Uint8Array.fromHex(payload).subarray(1))
  const isComplete = parts.length === content.values.total
  const configuration = all.filter(isSet).map((stored) => stored.toHex())
  return {
    ...content,
    values: { ...content.values, isComplete, configuration: configuration.join(' ') },
    lines: [content.description, ...all.map(describeStored)],
  }
}

export const deviceInfo: Layout = {
  messages: [
    {
      eventCode: 0xfa,
      event: 'DEVICE_INFO',
      minimumLength: 2,
      decode: decodeDeviceInfo,
      fields,
      measurements,
      reassembly: { placeOf, complete: completeDeviceInfo },
    },
  ],
  examples: [
    {
      about: 'the advanced configuration, the only one stored',
      hex: '13fa11fc00010100000000',
      gives: {
        event: 'DEVICE_INFO',
        description: 'Device info: packet 1 of 1',
        values: { packet: 1, total: 1, stored: [0xfc, 0, 1, 1, 0, 0, 0, 0] },
        lines: ['Device info: packet 1 of 1', 'Stored: fc00010100000000'],
        status: {},
      },
    },
    {
      about: 'nothing stored',
      hex: '14fa10ffffffffffffffff',
      gives: {
        description: 'Device info: configuration',
        values: { packet: 1, total: 0, stored: [] },
        lines: ['Device info: configuration', 'Stored: nothing'],
      },
    },
  ],
}
