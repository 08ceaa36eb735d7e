import type { Tiles } from './map-style.ts'

/** The operator's tiles, which the service names in the page; undefined where there are none. */
export const tiles: Tiles | undefined = readTiles()

function readTiles(): Tiles | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="map-tiles"]')
  const url = meta?.content ?? ''
  return url === '' ? undefined : { url, attribution: '' }
}
