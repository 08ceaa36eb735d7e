import type { ReadingValue } from '../sensor.ts'

/*
 * Cayenne Low Power Payload: any number of fields in one frame, each a channel (1 byte), a type
 * (1 byte) and the value, most significant byte first (myDevices, "Cayenne Docs", chapter "Cayenne
 * Low Power Payload"; the types marked + come from the library that carries the format on,
 * github.com/ElectronicCats/CayenneLPP).
 *
 * | type | bytes | value              | name here           | unit                    |
 * |------|-------|--------------------|---------------------|-------------------------|
 * | 0    | 1     | 1                  | digital_in          |                         |
 * | 1    | 1     | 1                  | digital_out         |                         |
 * | 2    | 2     | 0.01 signed        | analog_in           |                         |
 * | 3    | 2     | 0.01 signed        | analog_out          |                         |
 * | 100+ | 4     | 1                  | generic             |                         |
 * | 101  | 2     | 1                  | luminosity          | lux                     |
 * | 102  | 1     | 1                  | presence            |                         |
 * | 103  | 2     | 0.1 signed         | temperature         | °C                      |
 * | 104  | 1     | 0.5                | relative_humidity   | %                       |
 * | 113  | 6     | 0.001 signed x y z | accelerometer       | g                       |
 * | 115  | 2     | 0.1                | barometric_pressure | hPa                     |
 * | 116+ | 2     | 0.01               | voltage             | V                       |
 * | 117+ | 2     | 0.001              | current             | A                       |
 * | 118+ | 4     | 1                  | frequency           | Hz                      |
 * | 120+ | 1     | 1                  | percentage          | %                       |
 * | 121+ | 2     | 1 signed           | altitude            | m                       |
 * | 125+ | 2     | 1                  | concentration       | ppm                     |
 * | 128+ | 2     | 1                  | power               | W                       |
 * | 130+ | 4     | 0.001              | distance            | m                       |
 * | 131+ | 4     | 0.001              | energy              | kWh                     |
 * | 132+ | 2     | 1                  | direction           | °                       |
 * | 133+ | 4     | 1                  | unix_time           | s since 1970            |
 * | 134  | 6     | 0.01 signed x y z  | gyrometer           | °/s                     |
 * | 135+ | 3     | 1 each             | colour              | red, green, blue, 0-255 |
 * | 136  | 9     | 3 signed each      | gps                 | 0.0001 °, 0.01 m        |
 * | 142+ | 1     | 1                  | switch              |                         |
 *
 * Fields have the names of The Things Stack, `<name>_<channel>`.
 */

interface LppField {
  name: string
  /** One number without a name, or several named ones. */
  parts: readonly LppNumber[]
}

interface LppNumber {
  name: string
  bytes: number
  isSigned: boolean
  /** Counts per unit. */
  steps: number
}

const axes = ['x', 'y', 'z']

const fields = new Map<number, LppField>([
  [0, single('digital_in', 1, 1)],
  [1, single('digital_out', 1, 1)],
  [2, single('analog_in', 2, 100, true)],
  [3, single('analog_out', 2, 100, true)],
  [100, single('generic', 4, 1)],
  [101, single('luminosity', 2, 1)],
  [102, single('presence', 1, 1)],
  [103, single('temperature', 2, 10, true)],
  [104, single('relative_humidity', 1, 2)],
  [113, { name: 'accelerometer', parts: axes.map((axis) => part(axis, 2, 1000, true)) }],
  [115, single('barometric_pressure', 2, 10)],
  [116, single('voltage', 2, 100)],
  [117, single('current', 2, 1000)],
  [118, single('frequency', 4, 1)],
  [120, single('percentage', 1, 1)],
  [121, single('altitude', 2, 1, true)],
  [125, single('concentration', 2, 1)],
  [128, single('power', 2, 1)],
  [130, single('distance', 4, 1000)],
  [131, single('energy', 4, 1000)],
  [132, single('direction', 2, 1)],
  [133, single('unix_time', 4, 1)],
  [134, { name: 'gyrometer', parts: axes.map((axis) => part(axis, 2, 100, true)) }],
  [
    135,
    { name: 'colour', parts: ['red', 'green', 'blue'].map((colour) => part(colour, 1, 1, false)) },
  ],
  [
    136,
    {
      name: 'gps',
      parts: [
        part('latitude', 3, 10_000, true),
        part('longitude', 3, 10_000, true),
        part('altitude', 3, 100, true),
      ],
    },
  ],
  [142, single('switch', 1, 1)],
])

function part(name: string, bytes: number, steps: number, isSigned: boolean): LppNumber {
  return { name, bytes, steps, isSigned }
}

function single(name: string, bytes: number, steps: number, isSigned = false): LppField {
  return { name, parts: [part('', bytes, steps, isSigned)] }
}

/** By the name of the field, or of its part. */
const units: Record<string, string> = {
  luminosity: 'lux',
  temperature: '°C',
  relative_humidity: '%',
  accelerometer: 'g',
  barometric_pressure: 'hPa',
  voltage: 'V',
  current: 'A',
  frequency: 'Hz',
  percentage: '%',
  altitude: 'm',
  concentration: 'ppm',
  power: 'W',
  distance: 'm',
  energy: 'kWh',
  direction: '°',
  unix_time: 's since 1970',
  gyrometer: '°/s',
  latitude: '°',
  longitude: '°',
}

/** The unit of a number of CayenneLPP: `part` of the field with this name. */
export function lppUnitOf(name: string, part: string): string | undefined {
  return units[part] ?? units[name]
}

/** Decodes a frame, or gives the reason why it can't be read. */
export function decodeCayenneLpp(
  bytes: Uint8Array,
): { data: Record<string, ReadingValue> } | { error: string } {
  const { items, error } = readItems(bytes)
  if (error !== undefined) return { error }
  return { data: Object.fromEntries(items.map(({ key, numbers }) => [key, toValue(numbers)])) }
}

/** One field of a frame: its channel and type are at `start`. */
export interface LppItem {
  start: number
  /** `<name>_<channel>`. */
  key: string
  name: string
  channel: number
  type: number
  numbers: { name: string; start: number; length: number; value: number }[]
}

/** The fields of a frame up to the first that can't be read, and the reason why it can't. */
export function readItems(bytes: Uint8Array): { items: LppItem[]; error?: string } {
  const frame = Buffer.from(bytes)
  const items: LppItem[] = []
  if (frame.length === 0) return { items, error: 'The frame is empty.' }
  let offset = 0
  while (offset < frame.length) {
    const [channel = 0, type = -1] = frame.subarray(offset, offset + 2)
    const field = fields.get(type)
    if (!field) return { items, error: `Byte ${offset + 1} is no type of CayenneLPP.` }
    const start = offset
    offset += 2 + field.parts.reduce((sum, { bytes }) => sum + bytes, 0)
    if (offset > frame.length) return { items, error: `The value of ${field.name} is cut off.` }
    const numbers = readNumbers(field, frame, start + 2)
    const { name } = field
    items.push({ start, key: `${name}_${channel}`, name, channel, type, numbers })
  }
  return { items }
}

function readNumbers({ parts }: LppField, frame: Buffer, first: number): LppItem['numbers'] {
  let start = first
  return parts.map(({ name, bytes: length, steps, isSigned }) => {
    const count = isSigned ? frame.readIntBE(start, length) : frame.readUIntBE(start, length)
    start += length
    return { name, start: start - length, length, value: count / steps }
  })
}

function toValue(numbers: LppItem['numbers']): ReadingValue {
  const [first] = numbers
  if (first?.name === '') return first.value
  return Object.fromEntries(numbers.map(({ name, value }) => [name, value]))
}
