import type { Schemas } from '../api/generated.ts'
import { t } from '../languages/text.ts'

export type FramePart = Schemas['FramePart']

/** A value of a frame as text: codecs can give any JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(valueText).join(' ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** "21.5 °C". */
export function measureText({ value, unit }: Pick<FramePart, 'value' | 'unit'>): string {
  return unit === null ? valueText(value) : `${valueText(value)} ${unit}`
}

/** "byte 2", "bytes 3–4", "byte 0, bits 7–4". */
export function placeText({ start, length, bits }: FramePart): string {
  const bytes =
    length === 1
      ? t('byte {start}', { start })
      : t('bytes {start}–{end}', { start, end: start + length - 1 })
  if (bits === null) return bytes
  const highest = bits.lowest + bits.count - 1
  return bits.count === 1
    ? t('{bytes}, bit {lowest}', { bytes, lowest: bits.lowest })
    : t('{bytes}, bits {highest}–{lowest}', { bytes, highest, lowest: bits.lowest })
}

/** Hexadecimal in pairs, so that long frames can break between two bytes. */
export function spacedHex(hex: string): string {
  return hex.replace(/(..)(?=.)/g, '$1 ')
}

/**
 * The bytes as they are read: hexadecimal, one digit for each four bits. Other bits are 0 and 1.
 */
export function rawText({ raw, bits }: FramePart): string {
  if (bits === null) return spacedHex(raw)
  if (bits.lowest % 4 !== 0 || bits.count % 4 !== 0) return raw
  const digits = raw.replaceAll(/[01]{4}/g, (nibble) => Number.parseInt(nibble, 2).toString(16))
  return bits.count === 4 ? digits : spacedHex(digits)
}

/** Whether a part says nothing: its bytes are not used, or nobody knows what they mean. */
export function isSilent({ key, value }: FramePart): boolean {
  return key === null && (value === null || value === undefined)
}
