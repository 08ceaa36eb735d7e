import type { Tiles } from './map-style.ts'

/** The operator's tiles, which the service names in the page; undefined if there are none. */
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
