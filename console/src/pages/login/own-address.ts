/** Whether an address is a path of this console: a link must not lead to another host. */
export function isOwnAddress(address: string | undefined): address is string {
  return address !== undefined && /^\/(?![/\\])/.test(address)
}
