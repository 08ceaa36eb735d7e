/** Whether `text` is an AES-128 root key (AppKey) as 32 hexadecimal digits. */
export function isDeviceKey(text: string): boolean {
  return /^[0-9a-fA-F]{32}$/.test(text)
}
