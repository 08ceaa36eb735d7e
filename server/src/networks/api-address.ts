/** Whether `text` is the address of an API: `https://host` or `http://host:port`, without a path. */
export function isApiAddress(text: string): boolean {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false
  return url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
}

/** Whether `text` can be a name in the DNS: `eu1`, `iot.example.test`. */
export function isHostName(text: string): boolean {
  return text.length < 254 && /^[a-z0-9]([a-z0-9-]{0,62}\.)*[a-z0-9-]{0,62}[a-z0-9]$/i.test(text)
}

/** Whether `text` can be sent in a header: a secret with a line break would fail there. */
export function isOneWord(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
