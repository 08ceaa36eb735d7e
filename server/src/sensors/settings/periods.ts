import type { Option } from './section.ts'

/*
 * Times of one byte: a count in bits 6:0 and its unit in bit 7. A count of 0 means off.
 *
 * |               | bit 7 = 0 | bit 7 = 1 | source                                           |
 * |---------------|-----------|-----------|--------------------------------------------------|
 * | periods       | hours     | minutes   | RBS301-ABM manual (manualshive 1855646) p. 15    |
 * | hold time of  | minutes   | seconds   | RBS306-US10M manual (manualshive 777781) p. 11   |
 * | the ultrasonic|           |           |                                                  |
 *
 * Firmware before 1.3 knows hours only.
 */
const longest = 127
const unitBit = 0x80

function counts(unit: string, bit: number): Option[] {
  return Array.from({ length: longest }, (_, index) => {
    const count = index + 1
    return { value: bit | count, text: `${count} ${unit}${count === 1 ? '' : 's'}` }
  })
}

const off: Option = { value: 0, text: 'Off' }

/** Periods by their byte, shortest first: off, 1 to 127 minutes, 1 to 127 hours. */
export const periods: readonly Option[] = [off, ...counts('minute', unitBit), ...counts('hour', 0)]

/** The second byte value for "off", which is read but not offered. */
export const otherPeriods: readonly Option[] = [{ value: unitBit, text: 'Off' }]

/** Hold times of the ultrasonic sensor by their byte: off, 1 to 127 seconds, 1 to 127 minutes. */
export const shortPeriods: readonly Option[] = [
  off,
  ...counts('second', unitBit),
  ...counts('minute', 0),
]
