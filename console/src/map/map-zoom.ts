import { boundsOf } from './map-points.ts'

interface Place {
  lat: number
  lng: number
}

/** Pixels of the whole world at zoom 0. */
const worldSize = 512
/** Pixels between two points, within which they are shown as one. */
const crowdRadius = 44
/** Few points do not hide a map: each is shown as soon as there is room for its circle. */
const fewRadius = 16
const few = 60

export const farthestIn = 19
/** From the next zoom on, each point is shown by itself, even if several share a place. */
export const lastClusterZoom = 17

/** How far a single place is zoomed in: to its street, or as far as the outline still says something. */
export function placeZoom(hasTiles: boolean): number {
  return hasTiles ? 16 : 8
}

/** How far a map of these points may zoom in to show them all. */
export function fitZoom(points: readonly Place[], hasTiles: boolean): number {
  const bounds = boundsOf(points)
  const isOnePlace = !bounds || (bounds[0] === bounds[2] && bounds[1] === bounds[3])
  return isOnePlace ? placeZoom(hasTiles) : 16
}

export function clusterRadius(count: number): number {
  return count > few ? crowdRadius : fewRadius
}

/** The zoom at which this point no longer shares a bubble with any other. */
export function partingZoom(point: Place, points: readonly Place[]): number {
  const degrees = points.reduce((nearest, other) => {
    return other === point ? nearest : Math.min(nearest, distanceBetween(point, other))
  }, 360)
  const zoom = Math.log2((clusterRadius(points.length) * 360) / (degrees * worldSize))
  return Math.min(Math.max(Math.ceil(zoom), 0), lastClusterZoom + 1)
}

/** In degrees of longitude, as long as they look on the map. */
function distanceBetween(from: Place, to: Place): number {
  const stretch = Math.cos((from.lat * Math.PI) / 180)
  return Math.hypot(from.lng - to.lng, (from.lat - to.lat) / Math.max(stretch, 0.01))
}
