const hexadecimal16 = /^[0-9a-fA-F]{16}$/

/** Whether `text` is an EUI-64 (DevEUI, JoinEUI or gateway EUI) as 16 hexadecimal digits. */
export function isEui(text: string): boolean {
  return hexadecimal16.test(text)
}

/**
 * The one form in which EUIs are compared and looked up: 16 upper-case digits, without the
 * dashes or colons that some networks write between the bytes.
 */
export function normalizeEui(text: string): string {
  return text.replace(/[-:]/g, '').toUpperCase()
}
