import type { FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson'

type Ring = Position[]

/**
 * Makes the outlines fit for a flat map. Those that cross the line of 180 degrees jump there from
 * one side of the map to the other: they go on beyond it instead. The one around the south pole is
 * closed along the lower edge.
 */
export function unwrapOutline(outline: FeatureCollection): FeatureCollection {
  for (const { geometry } of outline.features) {
    if (geometry.type === 'Polygon' || geometry.type === 'MultiPolygon') unwrapPolygons(geometry)
  }
  return outline
}

function unwrapPolygons(geometry: Polygon | MultiPolygon): void {
  if (geometry.type === 'Polygon') geometry.coordinates = geometry.coordinates.map(unwrapRing)
  else geometry.coordinates = geometry.coordinates.map((rings) => rings.map(unwrapRing))
}

export function unwrapRing(ring: Ring): Ring {
  let shift = 0
  let before = ring[0]?.[0] ?? 0
  const unwrapped = ring.map(([lng = 0, lat = 0]): Position => {
    if (lng - before > 180) shift -= 360
    if (lng - before < -180) shift += 360
    before = lng
    return [lng + shift, lat]
  })
  const [first] = unwrapped
  const last = unwrapped.at(-1)
  if (shift === 0 || !first || !last) return unwrapped
  const edge = (first[1] ?? 0) < 0 ? -90 : 90
  return [...unwrapped, [last[0] ?? 0, edge], [first[0] ?? 0, edge], first]
}
