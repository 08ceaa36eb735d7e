import { uint8, uint16 } from '../bytes.ts'
import { labelOf, type Measurement, measurement } from '../measurement.ts'
import type { Content, FrameMemory, FramePart, Layout, PayloadField } from '../sensor.ts'

/*
 * Condensed FFT (0x20): the spectrum of one channel's vibration, in four frames.
 *
 * | byte | meaning                                                                           |
 * |------|-----------------------------------------------------------------------------------|
 * | 0    | high nibble: 0 total energy of bands 0-3, 1 total energy of bands 4-7, 2 and 3    |
 * |      | peak energy of the same; low nibble: channel, 0 is channel 1 (event code 1C)      |
 * | 1-8  | four words, one for each band                                                     |
 *
 * As in the maker's console, the velocity of a band is the channel's last low-frequency peak
 * velocity (see `vibration.ts`), times the band, divided by the sum of all eight bands of total
 * energy, or by 1 when the sum is 0. This takes the vibration report and both frames of total
 * energy, which are stored for each device. The sensor sends the four frames in the order of the
 * high nibble; each is read together with those received before it.
 *
 * Source: Reveal vibration manual (manualslib 2623818) p. 21-22 and RadioBridge/Packet-Decoder,
 * src/decoders/HighFreqVibrationSensor. The manual's example calls the low nibble 1 channel 1; its
 * table and that decoder count from 0.
 */
const bands = [
  '10To20',
  '21To40',
  '41To55',
  '56To70',
  '71To110',
  '111To130',
  '131To230',
  'Above231',
]
const bandNames = ['10-20', '21-40', '41-55', '56-70', '71-110', '111-130', '131-230', '231+']
const bandsInFrame = 4
const channels = 4

interface SpectrumKind {
  event: string
  description: string
  /** Begins the keys of `decoded_object`. */
  key: string
  firstBand: number
}

/** By the high nibble. */
const kinds: readonly SpectrumKind[] = [
  {
    event: 'VIBRATION_CONDENSED_FFT_ENERGY',
    description: 'Total Energy Values',
    key: 'velocity',
    firstBand: 0,
  },
  {
    event: 'VIBRATION_CONDENSED_FFT_ENERGY_PART',
    description: 'Total Energy Values',
    key: 'velocity',
    firstBand: 4,
  },
  {
    event: 'VIBRATION_CONDENSED_FFT',
    description: 'Peak Energy Values',
    key: 'peakVelocity',
    firstBand: 0,
  },
  {
    event: 'VIBRATION_CONDENSED_FFT_PART',
    description: 'Peak Energy Values',
    key: 'peakVelocity',
    firstBand: 4,
  },
]

/** The group under which the last report of a channel (`vibration.ts`) is stored. */
export function reportGroup(channel: number): string {
  return `vibration${channel}`
}

function decodeSpectrum(payload: Uint8Array): Content | undefined {
  const first = uint8(payload, 0)
  const kind = kinds[first >> 4]
  const channel = (first & 0x0f) + 1
  if (!kind || channel > channels) return undefined
  const { event, description, firstBand } = kind
  const energies = readEnergies(payload)
  return {
    event,
    description,
    values: { channel, energies },
    lines: [
      `Vibration Condensed FFT Event: ${description}`,
      `Channel: ${channel}`,
      ...energies.map((energy, index) => `${bandNames[firstBand + index]} Hz: ${energy}`),
    ],
    status: {},
  }
}

const measurements: readonly Measurement[] = [
  measurement('channel', 'code'),
  measurement('energies', 'number'),
  measurement('energyTotal', 'number'),
  ...['velocity', 'peakVelocity'].flatMap((key) =>
    bands.map((band, index) =>
      measurement(`${key}${band}Hz`, 'number', {
        label: `${labelOf(key)} ${bandNames[index]} Hz`,
        unit: 'in/s',
        decimals: 5,
        min: 0,
      }),
    ),
  ),
]

const fields: readonly PayloadField[] = [
  {
    label: 'Kind',
    at: 0,
    bits: { lowest: 4, count: 4 },
    keys: ['eventDescription'],
    texts: kinds.map(({ description, firstBand }) => `${description}, ${partOf(firstBand)} bands`),
    describe: (payload) => partOf(kinds[uint8(payload, 0) >> 4]?.firstBand),
  },
  {
    label: 'Channel',
    at: 0,
    bits: { lowest: 0, count: 4 },
    keys: ['channel'],
    coding: '0 is channel 1',
  },
  ...Array.from({ length: bandsInFrame }, (_, index) => ({
    label: `Energy of band ${index + 1} or ${index + 1 + bandsInFrame}`,
    at: 1 + index * 2,
    length: 2,
    keys: ['energies'],
    item: index,
    coding: 'unsigned',
    describe: (payload: Uint8Array) =>
      `${bandNames[(kinds[uint8(payload, 0) >> 4]?.firstBand ?? 0) + index]} Hz`,
  })),
]

function partOf(firstBand = 0): string {
  return firstBand === 0 ? 'lower' : 'upper'
}

function readEnergies(payload: Uint8Array): number[] {
  return Array.from({ length: bandsInFrame }, (_, index) => uint16(payload, 1 + index * 2))
}

function placeOf(payload: Uint8Array): { group: string; number: number } {
  const first = uint8(payload, 0)
  return { group: `spectrum${(first & 0x0f) + 1}`, number: first >> 4 }
}

/** Replaces energies by velocities, for all bands of this kind received so far. */
function completeSpectrum(
  content: Content,
  parts: readonly FramePart[],
  memory: FrameMemory,
): Content | undefined {
  const { channel } = content.values
  const velocity = lastVelocity(memory, Number(channel))
  const total = sumOfTotals(parts)
  if (velocity === undefined || total === undefined) return undefined
  const values: Content['values'] = { ...content.values, energyTotal: total }
  const lines = content.lines.slice(0, 2)
  for (const { number, payload } of parts) {
    const kind = kinds[number]
    if (kind?.description !== content.description) continue
    for (const [index, energy] of readEnergies(Uint8Array.fromHex(payload)).entries()) {
      const band = kind.firstBand + index
      const share = ((velocity * energy) / (total || 1)).toFixed(5)
      values[`${kind.key}${bands[band]}Hz`] = Number(share)
      lines.push(`${bandNames[band]} Hz: ${share} inches/sec`)
    }
  }
  return { ...content, values, lines }
}

/** The velocity (in/s) in the last report of the channel. */
function lastVelocity(memory: FrameMemory, channel: number): number | undefined {
  const payload = memory[reportGroup(channel)]?.at(-1)?.payload
  return payload === undefined ? undefined : uint8(Uint8Array.fromHex(payload), 1) / 100
}

/** The sum of all eight bands of total energy; undefined while one of their two frames is missing. */
function sumOfTotals(parts: readonly FramePart[]): number | undefined {
  const totals = parts.filter(({ number }) => kinds[number]?.key === 'velocity')
  if (totals.length < 2) return undefined
  return totals
    .flatMap(({ payload }) => readEnergies(Uint8Array.fromHex(payload)))
    .reduce((sum, energy) => sum + energy, 0)
}

export const spectrum: Layout = {
  messages: [
    {
      eventCode: 0x20,
      event: 'VIBRATION_CONDENSED_FFT',
      minimumLength: 9,
      decode: decodeSpectrum,
      fields,
      measurements,
      reassembly: { placeOf, complete: completeSpectrum },
    },
  ],
  examples: [
    {
      about: 'total energy of the lower bands, read without the other frames',
      hex: '112000001e0022000c000e',
      gives: {
        event: 'VIBRATION_CONDENSED_FFT_ENERGY',
        description: 'Total Energy Values',
        values: { channel: 1, energies: [30, 34, 12, 14] },
        lines: [
          'Vibration Condensed FFT Event: Total Energy Values',
          'Channel: 1',
          '10-20 Hz: 30',
          '21-40 Hz: 34',
          '41-55 Hz: 12',
          '56-70 Hz: 14',
        ],
        status: {},
      },
    },
    {
      about: 'total energy of the upper bands',
      hex: '12201000130006001a0005',
      gives: {
        event: 'VIBRATION_CONDENSED_FFT_ENERGY_PART',
        values: { channel: 1, energies: [19, 6, 26, 5] },
      },
    },
    {
      about: 'peak energy of the lower bands',
      hex: '1320200009000400010001',
      gives: {
        event: 'VIBRATION_CONDENSED_FFT',
        description: 'Peak Energy Values',
        values: { channel: 1, energies: [9, 4, 1, 1] },
      },
    },
    {
      about: 'peak energy of the upper bands, channel 2',
      hex: '1020310000012c00000000',
      gives: {
        event: 'VIBRATION_CONDENSED_FFT_PART',
        values: { channel: 2, energies: [0, 300, 0, 0] },
      },
    },
  ],
}
