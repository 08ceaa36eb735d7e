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
import { clusterLayer, pointLayer, pointSource } from './map-style.ts'
import { tiles } from './tiles.ts'

// Its own default is a worker from a blob, which the policy of the page refuses.
setWorkerUrl(workerUrl)

/** @throws Error where the browser has no WebGL. */
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
    maxZoom: tiles ? 19 : 12,
    center: [10, 30],
    zoom: 1,
    locale: { 'Map.Title': label },
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new ScaleControl(), 'bottom-left')
  return map
}

/** Moves the map so that all points are in sight. */
export function fitTo(map: MapLibre, points: readonly { lat: number; lng: number }[]): void {
  const bounds = boundsOf(points)
  if (!bounds) return
  const box = new LngLatBounds([bounds[0], bounds[1]], [bounds[2], bounds[3]])
  map.fitBounds(box, { padding: 56, maxZoom: tiles ? 14 : 7, duration: 0 })
}

interface Handlers {
  onSelect: (id: string) => void
  onPick: ((place: { lat: number; lng: number }) => void) | undefined
}

/** A click on a cluster opens it, one on a point selects it, and one elsewhere picks the place. */
export function listenTo(map: MapLibre, handlers: { readonly current: Handlers }): void {
  const popup = new Popup({ closeButton: false, closeOnClick: false, offset: 12 })
  map.on('click', (event) => {
    const { onSelect, onPick } = handlers.current
    if (onPick) {
      const { lng, lat } = event.lngLat.wrap()
      onPick({ lat: round(lat), lng: round(lng) })
      return
    }
    const [hit] = hitsOf(map, event)
    if (!hit) return
    if (hit.properties.cluster) void openCluster(map, hit)
    else onSelect(String(hit.properties.id))
  })
  map.on('mousemove', (event) => {
    const [hit] = hitsOf(map, event)
    map.getCanvas().style.cursor = hit || handlers.current.onPick ? 'pointer' : ''
    if (!hit || hit.properties.cluster) {
      popup.remove()
      return
    }
    const { name, detail } = hit.properties
    popup
      .setLngLat(placeOf(hit))
      .setText(detail ? `${name}: ${detail}` : String(name))
      .addTo(map)
  })
  map.on('mouseout', () => popup.remove())
}

function hitsOf(map: MapLibre, event: MapMouseEvent) {
  const layers = [pointLayer, clusterLayer].filter((layer) => map.getLayer(layer))
  return map.queryRenderedFeatures(event.point, { layers })
}

type Hit = ReturnType<typeof hitsOf>[number]

function placeOf(hit: Hit): [number, number] {
  const { geometry } = hit
  if (geometry.type !== 'Point') return [0, 0]
  const [lng = 0, lat = 0] = geometry.coordinates
  return [lng, lat]
}

async function openCluster(map: MapLibre, hit: Hit): Promise<void> {
  const source = map.getSource<GeoJSONSource>(pointSource)
  const zoom = await source?.getClusterExpansionZoom(Number(hit.properties.cluster_id))
  if (zoom === undefined) return
  map.easeTo({ center: placeOf(hit), zoom: Math.min(zoom, map.getMaxZoom()), duration: 400 })
}

/** A metre is more than a gateway's place needs. */
function round(degrees: number): number {
  return Math.round(degrees * 100_000) / 100_000
}
