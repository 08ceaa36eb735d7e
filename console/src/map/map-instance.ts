import type { Feature, Geometry } from 'geojson'
import {
  type GeoJSONSource,
  LngLatBounds,
  Map as MapLibre,
  type MapMouseEvent,
  NavigationControl,
  Popup,
  ScaleControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { boundsOf } from './map-points.ts'
import {
  clusterLayer,
  gatewayLayer,
  pointLayer,
  pointSource,
  room,
  squares,
  streetSource,
} from './map-style.ts'
import { farthestIn, fitZoom } from './map-zoom.ts'
import { referrerPolicy } from './streets.ts'
import { tiles } from './tiles.ts'

// Its own default is a worker from a blob, which the policy of the page refuses.
setWorkerUrl(workerUrl)

/** @throws Error if the browser has no WebGL. */
export function createMap(
  container: HTMLElement,
  style: StyleSpecification,
  label: string,
): MapLibre {
  const map = new MapLibre({
    container,
    style,
    attributionControl: false,
    // Nobody needs a tilted or turned map of places here.
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    cooperativeGestures: false,
    maxZoom: farthestIn,
    center: [10, 30],
    zoom: 1,
    locale: { 'Map.Title': label },
    transformRequest: (url) =>
      url.startsWith(location.origin) ? undefined : { url, referrerPolicy },
  })
  map.on('style.load', () => addSquares(map))
  map.touchZoomRotate.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new ScaleControl(), 'bottom-left')
  return map
}

/** Pixels of a square, which has the size of the circles beside it. */
const side = 20

/** Draws the squares of gateways, and the room around points: the style names them. */
function addSquares(map: MapLibre): void {
  if (!map.hasImage(room)) {
    map.addImage(room, { width: side, height: side, data: new Uint8Array(side * side * 4) })
  }
  const canvas = document.createElement('canvas')
  canvas.width = side * 2
  canvas.height = side * 2
  const context = canvas.getContext('2d')
  if (!context) return
  context.scale(2, 2)
  for (const { name, fill, edge } of squares) {
    if (map.hasImage(name)) continue
    context.fillStyle = edge
    context.fillRect(0, 0, side, side)
    context.fillStyle = fill
    context.fillRect(2, 2, side - 4, side - 4)
    map.addImage(name, context.getImageData(0, 0, side * 2, side * 2), { pixelRatio: 2 })
  }
}

/** Moves the map so that all points are in sight. */
export function fitTo(map: MapLibre, points: readonly { lat: number; lng: number }[]): void {
  const bounds = boundsOf(points)
  if (!bounds) return
  const box = new LngLatBounds([bounds[0], bounds[1]], [bounds[2], bounds[3]])
  map.fitBounds(box, { padding: 56, maxZoom: fitZoom(points, tiles !== undefined), duration: 0 })
}

/** The ground alone says nothing: calls once the points are drawn too. */
export function whenPointsAreDrawn(map: MapLibre, onDrawn: () => void): void {
  const look = () => {
    // A style that is set again has no source for a moment.
    if (!map.getSource(pointSource) || !map.isSourceLoaded(pointSource)) return
    map.off('render', look)
    onDrawn()
  }
  map.on('render', look)
}

/** Tells that the streets can't be had: their server refuses, or there is no connection. */
export function watchStreets(map: MapLibre, onLost: () => void): void {
  let hasTile = false
  map.on('sourcedata', ({ sourceId, tile }) => {
    if (sourceId === streetSource && tile) hasTile = true
  })
  map.on('error', (event) => {
    const isOfStreets = 'sourceId' in event && event.sourceId === streetSource
    // Where some came, MapLibre draws the nearest that it has.
    if (isOfStreets && !hasTile) onLost()
  })
}

interface Handlers {
  onSelect: (id: string) => void
  onPick: ((place: { lat: number; lng: number }) => void) | undefined
}

/**
 * A click on a cluster opens it, one on a point selects it, and one elsewhere picks the place. What
 * stands at one place is listed, to choose from.
 */
export function listenTo(map: MapLibre, handlers: { readonly current: Handlers }): void {
  const popup = new Popup({ closeButton: false, closeOnClick: false, offset: 12 })
  map.on('click', (event) => {
    const { onSelect, onPick } = handlers.current
    if (onPick) {
      const { lng, lat } = event.lngLat.wrap()
      onPick({ lat: round(lat), lng: round(lng) })
      return
    }
    const hits = hitsOf(map, event)
    const [hit] = hits
    if (!hit) return
    popup.remove()
    if (hit.properties.cluster) void openCluster(map, hit, onSelect)
    else if (hits.length === 1) onSelect(idOf(hit))
    else listPlace(map, placeOf(hit), hits, onSelect)
  })
  map.on('mousemove', (event) => {
    const hits = hitsOf(map, event)
    const [hit] = hits
    map.getCanvas().style.cursor = hit || handlers.current.onPick ? 'pointer' : ''
    if (!hit || hit.properties.cluster) popup.remove()
    else popup.setLngLat(placeOf(hit)).setText(hits.map(textOf).join(', ')).addTo(map)
  })
  map.on('mouseout', () => popup.remove())
}

/** Half the side of what a finger hits, in pixels. */
const reach = 12

/** The nearest point or cluster, and those that cover it. */
function hitsOf(map: MapLibre, event: MapMouseEvent) {
  const layers = [pointLayer, gatewayLayer, clusterLayer].filter((layer) => map.getLayer(layer))
  const { x, y } = event.point
  const around: [[number, number], [number, number]] = [
    [x - reach, y - reach],
    [x + reach, y + reach],
  ]
  const found = map.queryRenderedFeatures(around, { layers }).map((hit) => {
    const { x: left, y: top } = map.project(placeOf(hit))
    return { hit, left, top, distance: Math.hypot(left - x, top - y) }
  })
  const nearest = found.toSorted((one, other) => one.distance - other.distance)[0]
  if (!nearest) return []
  const stack = found.filter(
    ({ left, top }) => Math.hypot(left - nearest.left, top - nearest.top) < 4,
  )
  // A point near the edge of a tile is found in both tiles.
  return [...new Map(stack.map(({ hit }) => [idOf(hit), hit])).values()]
}

type Hit = ReturnType<MapLibre['queryRenderedFeatures']>[number]

/** A point of the map, as it is drawn or as a cluster has it. */
type Thing = Pick<Feature, 'geometry' | 'properties'>

function idOf({ properties }: Thing): string {
  const { cluster, cluster_id, id } = properties ?? {}
  return String(cluster ? `cluster ${cluster_id}` : id)
}

function textOf({ properties }: Thing): string {
  const { name, detail } = properties ?? {}
  return detail ? `${name}: ${detail}` : String(name)
}

/** Lists what stands at one place. */
function listPlace(
  map: MapLibre,
  at: [number, number],
  things: readonly Thing[],
  onSelect: (id: string) => void,
): void {
  const popup = new Popup({ offset: 12, maxWidth: '20rem' })
  const list = document.createElement('ul')
  for (const thing of things) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = textOf(thing)
    button.addEventListener('click', () => {
      onSelect(idOf(thing))
      popup.remove()
    })
    const item = document.createElement('li')
    item.append(button)
    list.append(item)
  }
  popup.setLngLat(at).setDOMContent(list).addTo(map)
}

function placeOf({ geometry }: { geometry: Geometry }): [number, number] {
  if (geometry.type !== 'Point') return [0, 0]
  const [lng = 0, lat = 0] = geometry.coordinates
  return [lng, lat]
}

/** The most that are listed of one place. */
const mostListed = 50
/** Degrees within which everything is one place: a few metres. */
const onePlace = 0.00005

/** Zooms in until the cluster parts, or lists what is in it if it never does. */
async function openCluster(map: MapLibre, hit: Hit, onSelect: (id: string) => void): Promise<void> {
  const source = map.getSource<GeoJSONSource>(pointSource)
  const id = Number(hit.properties.cluster_id)
  const leaves = (await source?.getClusterLeaves(id, mostListed, 0)) ?? []
  const [lng, lat] = placeOf(hit)
  const isOnePlace = leaves.every((leaf) => {
    const [x, y] = placeOf(leaf)
    return Math.abs(x - lng) < onePlace && Math.abs(y - lat) < onePlace
  })
  if (isOnePlace && leaves.length > 0) return listPlace(map, [lng, lat], leaves, onSelect)
  const zoom = await source?.getClusterExpansionZoom(id)
  if (zoom === undefined) return
  map.easeTo({ center: placeOf(hit), zoom: Math.min(zoom, map.getMaxZoom()), duration: 400 })
}

/** A metre is more than a gateway's place needs. */
function round(degrees: number): number {
  return Math.round(degrees * 100_000) / 100_000
}
