/** Digits as people copy them: with dashes, colons, blanks or `0x` between the bytes. */
export function plainHex(text: string): string {
  return text
    .replace(/0x/gi, '')
    .replace(/[\s:.,\-_]/g, '')
    .toUpperCase()
}

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
  if (!isHex(hex)) return 'Only the digits 0 to 9 and A to F.'
  return hex.length === length ? undefined : `${hex.length} of ${length} digits.`
}
