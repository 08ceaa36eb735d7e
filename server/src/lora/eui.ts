const hexadecimal16 = /^[0-9a-fA-F]{16}$/

/** Whether `text` is an EUI-64 (DevEUI, JoinEUI or gateway EUI) as 16 hexadecimal digits. */
export function isEui(text: string): boolean {
  return hexadecimal16.test(text)
}

/**
 * The normal form, in which EUIs are stored and compared: 16 upper-case digits, without the dashes
 * or colons that some networks write between the bytes.
 */
export function normalizeEui(text: string): string {
  return text.replace(/[-:]/g, '').toUpperCase()
}

/** The normal form of an EUI, with or without dashes or colons; undefined for anything else. */
export function toEui(value: unknown): string | undefined {
  const eui = typeof value === 'string' ? normalizeEui(value) : ''
  return isEui(eui) ? eui : undefined
}

/**
 * What a search looks for in EUIs: its digits without the dashes, colons, points and blanks that people
 * copy between the bytes. A text that is no part of an EUI stays as it is, and is found in none.
 */
export function euiPart(search: string): string {
  const digits = search.replace(/[\s:._-]/g, '')
  return /^[0-9a-f]{1,16}$/i.test(digits) ? digits.toUpperCase() : search
}
