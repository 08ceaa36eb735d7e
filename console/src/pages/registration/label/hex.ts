import { plainHex } from '../../../../../server/src/lora/device-file/device-row.ts'
import { t } from '../../../languages/text.ts'

export { plainHex }

export function isHex(text: string): boolean {
  return /^[0-9A-F]*$/.test(text)
}

/** The same bytes, last one first. */
export function reverseBytes(hex: string): string {
  return (hex.match(/../g) ?? []).reverse().join('')
}

/** What is wrong with so many digits; undefined when they are right or there are none. */
export function hexFault(text: string, length: number): string | undefined {
  const hex = plainHex(text)
  if (hex === '') return undefined
  if (!isHex(hex)) return t('Only the digits 0 to 9 and A to F.')
  return hex.length === length
    ? undefined
    : t('{count} of {length} digits.', { count: hex.length, length })
}
