/** The operator's own server of map tiles, from the setting MAP_TILES. */
export interface MapTiles {
  /** With `{z}`, `{x}` and `{y}`. */
  url: string
  /** Who made the map; shown next to it. */
  attribution: string
}

export function tilesOf(url: string | undefined, attribution: string): MapTiles | undefined {
  return url ? { url, attribution } : undefined
}

/** Whether it is the address of tiles: an absolute one, or a path on the host of the service. */
export function isTileAddress(text: string): boolean {
  if (!['{z}', '{x}', '{y}'].every((part) => text.includes(part))) return false
  // The origin becomes part of a header, and the address of an attribute.
  if (!/^[!#-&(-:=?-~]+$/.test(text)) return false
  if (/^\/[^/]/.test(text)) return true
  const url = URL.parse(text)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === ''
}

/** The origin that the console may then ask, besides its own. */
export function tileOrigin({ url }: MapTiles): string | undefined {
  return url.startsWith('/') ? undefined : new URL(url).origin
}

/** Names the tiles in the page of the console, where the map finds them. */
export function placeTiles(page: string, tiles: MapTiles | undefined): string {
  if (!tiles) return page
  const { url, attribution } = tiles
  return fill(fill(page, 'map-tiles', url), 'map-attribution', attribution)
}

function fill(page: string, name: string, text: string): string {
  const value = text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return page.replace(`name="${name}" content=""`, () => `name="${name}" content="${value}"`)
}
