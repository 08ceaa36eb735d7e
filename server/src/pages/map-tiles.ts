/** Where the streets of maps come from, as a page needs it. */
export interface PageTiles {
  url: string
  attribution: string
  /** The service itself serves it at `url`. */
  file?: string
}

/** The origin that the console may then ask, besides its own. */
export function tileOrigin({ url }: PageTiles): string | undefined {
  return url.startsWith('/') ? undefined : new URL(url).origin
}

/** Names the tiles in the page of the console, where the map finds them. */
export function placeTiles(page: string, prefix: string, tiles: PageTiles | undefined): string {
  if (!tiles) return page
  const { url, attribution, file } = tiles
  const address = file === undefined ? url : prefix + url
  return fill(fill(page, 'map-tiles', address), 'map-attribution', attribution)
}

function fill(page: string, name: string, text: string): string {
  const value = text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return page.replace(`name="${name}" content=""`, () => `name="${name}" content="${value}"`)
}
