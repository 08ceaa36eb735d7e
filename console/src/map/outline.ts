import type { FeatureCollection } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import outlineUrl from 'world-atlas/countries-50m.json?url'
import { unwrapOutline } from './unwrap.ts'

/** The borders of the world's countries, which the console brings along (Natural Earth). */
let outline: Promise<FeatureCollection> | undefined

/** Loads the outline once; a failed load is tried again at the next map. */
export function loadOutline(): Promise<FeatureCollection> {
  outline ??= read().catch((error) => {
    outline = undefined
    throw error
  })
  return outline
}

async function read(): Promise<FeatureCollection> {
  const response = await fetch(outlineUrl)
  if (!response.ok) throw new Error(`The outline of the map answered ${response.status}.`)
  const world = (await response.json()) as Topology<{ countries: GeometryCollection }>
  return unwrapOutline(feature(world, world.objects.countries))
}
