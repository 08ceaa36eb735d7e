/** Where the streets come from, as the service names it in the page. */
export interface Tiles {
  /** Of tiles, with `{z}`, `{x}` and `{y}`, or of a PMTiles file. */
  url: string
  attribution: string
}

/** Undefined where the map is an outline. */
export const tiles: Tiles | undefined = readTiles()

function readTiles(): Tiles | undefined {
  const url = metaOf('map-tiles')
  // MapLibre asks from a worker, which has no address of the page to complete a path with.
  const absolute = url.startsWith('/') ? location.origin + url : url
  return url === '' ? undefined : { url: absolute, attribution: metaOf('map-attribution') }
}

function metaOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
