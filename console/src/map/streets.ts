import {
  addProtocol,
  type RasterSourceSpecification,
  type VectorSourceSpecification,
} from 'maplibre-gl'
import type { Tiles } from './tiles.ts'

/** The streets below the points: where MapLibre finds them, and who made them. */
export interface Streets {
  source: RasterSourceSpecification | VectorSourceSpecification
  attribution: string
}

/** Vector tiles of the usual layouts end here; nearer, MapLibre draws the same ones larger. */
const lastVectorZoom = 14
const lastRasterZoom = 19

/** @throws if they can't be had, such as without a connection. */
export async function openStreets({ url, attribution }: Tiles): Promise<Streets> {
  if (isArchive(url)) return openArchive(url, attribution)
  if (!/\.(pbf|mvt)(\?|$)/.test(url)) {
    const source = { tiles: [url], tileSize: 256, maxzoom: lastRasterZoom }
    return { source: { type: 'raster', ...source }, attribution }
  }
  addProtocol(ownProtocol, loadTile)
  const tiles = [`${ownProtocol}://${url}`]
  return { source: { type: 'vector', tiles, maxzoom: lastVectorZoom }, attribution }
}

function isArchive(url: string): boolean {
  return !url.includes('{z}')
}

const ownProtocol = 'streets'

/** Asks from the page: MapLibre's worker would do it under the policy of its own file. */
async function loadTile({ url }: { url: string }, { signal }: AbortController) {
  const address = url.slice(`${ownProtocol}://`.length)
  const answer = await fetch(address, { signal, referrerPolicy })
  // Beside the part of the world that is mapped there is nothing.
  if (answer.status === 404 || answer.status === 204) return { data: new ArrayBuffer(0) }
  if (!answer.ok) throw new Error(`The tile answered ${answer.status}.`)
  return { data: await answer.arrayBuffer() }
}

/** Servers of tiles want to know which site asks them, as OpenStreetMap's policy says. Pages tell nobody else. */
export const referrerPolicy = 'strict-origin'

/** What the header of an archive says of its tiles. */
const mvt = 1

async function openArchive(url: string, attribution: string): Promise<Streets> {
  const { PMTiles, Protocol } = await import('pmtiles')
  const archive = new PMTiles(url)
  const protocol = new Protocol()
  protocol.add(archive)
  addProtocol('pmtiles', protocol.tile)
  const [header, metadata] = await Promise.all([archive.getHeader(), archive.getMetadata()])
  const type = header.tileType === mvt ? 'vector' : 'raster'
  const source = { type, url: `pmtiles://${url}`, ...(type === 'raster' && { tileSize: 256 }) }
  return {
    source: source as Streets['source'],
    attribution: attribution || textOf((metadata as { attribution?: unknown }).attribution),
  }
}

/** The text of what may be HTML. */
function textOf(html: unknown): string {
  if (typeof html !== 'string') return ''
  const text = html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&copy;', '©')
    .replaceAll('&amp;', '&')
  return text.replace(/\s+/g, ' ').trim()
}
