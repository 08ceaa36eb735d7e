import { int8, uint8 } from '../bytes.ts'
import { type Measurement, measurement } from '../measurement.ts'
import type { Content, Layout, PayloadField } from '../sensor.ts'

/*
 * Link quality (0xFB): the reception of the last downlink. Sent after each downlink, or periodically.
 *
 * | byte | meaning                              |
 * |------|--------------------------------------|
 * | 0    | sub-band (1 to 8 in US915)           |
 * | 1    | RSSI, signed, dBm                    |
 * | 2    | SNR, signed, dB                      |
 *
 * Source: RBS3010NA0EBN0 manual (manualslib 3247730) p. 12-15.
 */
function decodeLinkQuality(payload: Uint8Array): Content {
  const subBand = uint8(payload, 0)
  const rssi = int8(payload, 1)
  const snr = int8(payload, 2)
  return {
    description: 'Link quality',
    values: { subBand, rssi, snr },
    lines: ['Link quality', `Sub-band: ${subBand}`, `RSSI: ${rssi} dBm`, `SNR: ${snr} dB`],
    status: {},
  }
}

const measurements: readonly Measurement[] = [
  measurement('rssi', 'number', { unit: 'dBm', decimals: 0, isHeadline: true, prefix: 'RSSI ' }),
  measurement('snr', 'number', { unit: 'dB', decimals: 0, isHeadline: true, prefix: 'SNR ' }),
  measurement('subBand', 'code'),
]

const fields: readonly PayloadField[] = [
  { label: 'Sub-band', at: 0, keys: ['subBand'], coding: 'unsigned' },
  { label: 'RSSI', at: 1, keys: ['rssi'], coding: "two's complement, dBm" },
  { label: 'SNR', at: 2, keys: ['snr'], coding: "two's complement, dB" },
]

export const linkQuality: Layout = {
  messages: [
    {
      eventCode: 0xfb,
      event: 'LINK_QUALITY',
      minimumLength: 3,
      decode: decodeLinkQuality,
      fields,
      measurements,
    },
  ],
  examples: [
    {
      about: 'a good link',
      hex: '1bfb01b906',
      gives: {
        event: 'LINK_QUALITY',
        description: 'Link quality',
        values: { subBand: 1, rssi: -71, snr: 6 },
        lines: ['Link quality', 'Sub-band: 1', 'RSSI: -71 dBm', 'SNR: 6 dB'],
        status: {},
      },
    },
    {
      about: 'below the noise: both bytes are signed',
      hex: '10fb0200f8',
      gives: { values: { subBand: 2, rssi: 0, snr: -8 } },
    },
  ],
}
