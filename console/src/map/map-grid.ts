import type { FeatureCollection, LineString, Point } from 'geojson'

/** A part of the world, in degrees. */
export interface Box {
  west: number
  south: number
  east: number
  north: number
}

/** Lines of latitude and longitude, and their names at the left and the upper edge. */
export type Grid = FeatureCollection<LineString | Point, { label: string; anchor?: string }>

export const emptyGrid: Grid = { type: 'FeatureCollection', features: [] }

/** Nearer than this, the outline of the world says nothing more about a place. */
export const gridZoom = 7

const steps = [5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002]
const finest = 0.0001

/** Lines for what is in sight and as much around it, four to ten across. */
export function makeGrid({ west, south, east, north }: Box): Grid {
  const width = east - west
  const height = north - south
  const step = steps.find((each) => each <= width / 4) ?? finest
  const [bottom, top] = [Math.max(south - height, -85), Math.min(north + height, 85)]
  const [left, right] = [west - width, east + width]
  const meridians = multiplesOf(step, left, right).flatMap((lng) => {
    const label = degreesText(wrap(lng), step, ['E', 'W'])
    return [line(label, [lng, bottom], [lng, top]), name(label, [lng, north], 'top')]
  })
  const parallels = multiplesOf(step, bottom, top).flatMap((lat) => {
    const label = degreesText(lat, step, ['N', 'S'])
    return [line(label, [left, lat], [right, lat]), name(label, [west, lat], 'left')]
  })
  return { type: 'FeatureCollection', features: [...meridians, ...parallels] }
}

function multiplesOf(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step)
  const count = Math.floor(to / step) - first + 1
  return Array.from({ length: Math.max(count, 0) }, (_, index) => (first + index) * step)
}

type Position = [lng: number, lat: number]

function line(label: string, from: Position, to: Position): Grid['features'][number] {
  const geometry: LineString = { type: 'LineString', coordinates: [from, to] }
  return { type: 'Feature', geometry, properties: { label } }
}

function name(label: string, at: Position, anchor: string): Grid['features'][number] {
  const geometry: Point = { type: 'Point', coordinates: at }
  return { type: 'Feature', geometry, properties: { label, anchor } }
}

function wrap(lng: number): number {
  return lng - 360 * Math.floor((lng + 180) / 360)
}

/** "48.15° N", with as many digits as the step has. */
function degreesText(degrees: number, step: number, [plus, minus]: [string, string]): string {
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))
  const value = Math.abs(degrees).toFixed(digits)
  return Number(value) === 0 ? `${value}°` : `${value}° ${degrees < 0 ? minus : plus}`
}
