import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'

/** Where the streets below the maps of the console come from. */
export interface MapTiles {
  /** Of tiles, with `{z}`, `{x}` and `{y}`, or of a PMTiles file; without a host, on that of the service. */
  url: string
  /** Who made the map; shown on it. */
  attribution: string
  /** The PMTiles file that the service itself serves at `url`. */
  file?: string
}

/** Where the service serves its own file. */
export const ownFileUrl = '/map.pmtiles'

/**
 * The public server of OpenStreetMap, and who made its map
 * (https://operations.osmfoundation.org/policies/tiles/).
 */
export const openStreetMap: MapTiles = {
  url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  attribution: '© OpenStreetMap contributors',
}

/** What the setting MAP_TILES says: an address, or the path of a file. */
export function tilesOf(text: string | undefined, attribution: string): MapTiles | undefined {
  if (!text) return undefined
  return isTileAddress(text)
    ? { url: text, attribution }
    : { url: ownFileUrl, attribution, file: resolve(text) }
}

/** Whether it is the address of tiles or of a PMTiles file, or a path to tiles on the host of the service. */
export function isTileAddress(text: string): boolean {
  // The origin becomes part of a header, and the address of an attribute.
  if (!/^[!#-&(-:=?-~]+$/.test(text)) return false
  const isTemplate = ['{z}', '{x}', '{y}'].every((part) => text.includes(part))
  if (isTemplate && /^\/[^/]/.test(text)) return true
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '') return false
  // One host, not a pattern of a policy.
  if (!/^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(url.hostname)) return false
  return isTemplate || url.pathname.endsWith('.pmtiles')
}

/** Whether the service can serve it as a file of its own. */
export function isTileFile(path: string): boolean {
  if (!path.endsWith('.pmtiles') || path.includes('://')) return false
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}
