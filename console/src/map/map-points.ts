import type { FeatureCollection, LineString, Point } from 'geojson'
import type { StateKind } from '../ui/state.tsx'

/** Something with a place, such as a gateway. */
export interface MapPoint {
  id: string
  lat: number
  lng: number
  name: string
  /** A few words next to the name. */
  detail?: string | undefined
  kind?: StateKind | undefined
  /** A square in place of a circle. */
  shape?: 'gateway' | undefined
}

/** A connection between two places, such as a device and a gateway that hears it. */
export interface MapLine {
  from: { lat: number; lng: number }
  to: { lat: number; lng: number }
  kind?: StateKind | undefined
}

/** The corner points around all of them, west, south, east and north; undefined without any. */
export function boundsOf(
  points: readonly { lat: number; lng: number }[],
): [number, number, number, number] | undefined {
  if (points.length === 0) return undefined
  const lats = points.map(({ lat }) => lat)
  const lngs = points.map(({ lng }) => lng)
  return [least(lngs), least(lats), -least(lngs.map(negated)), -least(lats.map(negated))]
}

/** `Math.min(...values)` fails with very many. */
function least(values: readonly number[]): number {
  return values.reduce((lowest, value) => (value < lowest ? value : lowest), Infinity)
}

function negated(value: number): number {
  return -value
}

export function toPointFeatures(points: readonly MapPoint[]): FeatureCollection<Point> {
  return {
    type: 'FeatureCollection',
    features: points.map(({ id, lat, lng, name, detail = '', kind = 'off', shape = '' }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [lng, lat] },
      properties: { id, name, detail, kind, shape },
    })),
  }
}

export function toLineFeatures(lines: readonly MapLine[]): FeatureCollection<LineString> {
  return {
    type: 'FeatureCollection',
    features: lines.map(({ from, to, kind = 'off' }) => ({
      type: 'Feature',
      geometry: {
        type: 'LineString',
        coordinates: [
          [from.lng, from.lat],
          [to.lng, to.lat],
        ],
      },
      properties: { kind },
    })),
  }
}
