import { uint8 } from './bytes.ts'
import type { Content, SensorFile } from './sensor.ts'

/*
 * Device info (0xFA): the configuration that a sensor keeps, on request (downlink 0xED, firmware
 * 3.0 and newer). One message per stored downlink.
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
  const first = uint8(payload, 0)
  const packet = first >> 4
  const total = first & 0x0f
  const stored = payload.subarray(1)
  const content = contents[first] ?? `packet ${packet} of ${total}`
  const description = `Device info: ${content}`
  const isSet = stored.some((byte) => byte !== 0xff)
  return {
    description,
    values: { packet, total, stored: isSet ? Array.from(stored) : [] },
    lines: [description, isSet ? `Stored: ${stored.toHex()}` : 'Stored: nothing'],
    status: {},
  }
}

export const deviceInfo: SensorFile = {
  messages: [{ eventCode: 0xfa, event: 'DEVICE_INFO', minimumLength: 2, decode: decodeDeviceInfo }],
  deviceTypes: [],
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
