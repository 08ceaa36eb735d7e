// The bands of an Everynet platform, GET /bands. Seen in public programs: `LA915-928A`, `LA915-918A`,
// `AU915-928A`, `US902-928`, `EU863-870`; each platform has its own list, so that the name is taken
// out of it.
import type { Region } from '../../lora/regions.ts'
import { isObject } from '../message-fields.ts'
import { NetworkError } from '../network.ts'
import { call, type Session } from './client.ts'

/** How the names of a region's bands begin, the first one first. */
const beginnings: Record<Region, readonly string[]> = {
  US915: ['US902', 'US915'],
  EU868: ['EU863', 'EU868'],
  AU915: ['AU915', 'LA915'],
  AS923: ['AS923'],
  CN470: ['CN470'],
  EU433: ['EU433'],
  KR920: ['KR920'],
  RU864: ['RU864'],
  CN779: ['CN779'],
  IN865: ['IN865'],
}

/** The band of a region: the shortest of the names that fit, which has no part of it only. */
export async function findBand(session: Session, region: Region): Promise<string> {
  session.bands ??= await readBands(session)
  for (const beginning of beginnings[region]) {
    const fitting = session.bands.filter((name) => name.toUpperCase().startsWith(beginning))
    const [band] = fitting.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    if (band !== undefined) return band
  }
  const known = session.bands.slice(0, 20).join(', ') || 'none'
  throw new NetworkError('refused', `Everynet has no band of ${region} here, only: ${known}.`)
}

async function readBands(session: Session): Promise<string[]> {
  const body = await call(session, { method: 'GET', path: '/bands' })
  const listed = isObject(body) ? body.bands : body
  if (!Array.isArray(listed)) return []
  return listed.flatMap((band) => {
    const name = isObject(band) ? (band.name ?? band.band) : band
    return typeof name === 'string' ? name : []
  })
}
