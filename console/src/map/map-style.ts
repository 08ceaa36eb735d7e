import type { FeatureCollection } from 'geojson'
import type {
  ExpressionSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl'
import { anyMode, colours } from '../ui/tokens.ts'
import { type MapLine, type MapPoint, toLineFeatures, toPointFeatures } from './map-points.ts'
import { clusterRadius, lastClusterZoom } from './map-zoom.ts'
import type { Streets } from './streets.ts'
import { streetLayers } from './streets-style.ts'

export type Scheme = 'light' | 'dark'

interface MapContent {
  scheme: Scheme
  points: readonly MapPoint[]
  lines: readonly MapLine[]
  selected: string | undefined
  /** Drawn where there are no streets. */
  outline: FeatureCollection | undefined
  streets: Streets | undefined
}

/** The colours of a mode; what has no state yet looks as what is off. */
function colorsOf(scheme: Scheme) {
  const tokens = colours[scheme]
  return {
    sea: tokens['map-sea'],
    land: tokens['map-land'],
    border: tokens['map-border'],
    text: tokens['map-text'],
    halo: tokens['map-halo'],
    cluster: tokens['map-cluster'],
    good: tokens['state-good'],
    warn: tokens['state-warn'],
    bad: tokens['state-bad'],
    off: tokens['state-off'],
  }
}

export const streetSource = 'streets'
export const pointSource = 'points'
export const pointLayer = 'points'
export const gatewayLayer = 'gateways'
export const clusterLayer = 'clusters'

/**
 * The whole map as a style: MapLibre applies the differences. Points are clustered in the source.
 * Without an address of glyphs, MapLibre draws texts with the fonts of the browser.
 */
export function makeStyle(content: MapContent): StyleSpecification {
  return {
    version: 8,
    sources: { ...baseSources(content), ...contentSources(content) },
    layers: [...baseLayers(content), ...contentLayers(content)],
  }
}

function baseSources({ outline, streets }: MapContent): Record<string, SourceSpecification> {
  if (streets) return { [streetSource]: streets.source }
  return { outline: { type: 'geojson', data: outline ?? emptyCollection } }
}

const emptyCollection: FeatureCollection = { type: 'FeatureCollection', features: [] }

function baseLayers({ scheme, streets }: MapContent): LayerSpecification[] {
  const { sea, land, border } = colorsOf(scheme)
  if (streets?.source.type === 'vector') return streetLayers(scheme, streetSource)
  if (streets) {
    return [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      // Tiles are made for light pages.
      { id: 'tiles', type: 'raster', source: streetSource, paint: dimmed(scheme) },
    ]
  }
  return [
    // The outline is kilometres wide of the truth: near by, it would put streets into the sea.
    { id: 'sea', type: 'background', paint: { 'background-color': nearBy(sea, land) } },
    { id: 'land', type: 'fill', source: 'outline', paint: { 'fill-color': land } },
    {
      id: 'borders',
      type: 'line',
      source: 'outline',
      paint: { 'line-color': border, 'line-width': 0.8, 'line-opacity': nearBy(1, 0) },
    },
  ]
}

/** Nearer than this, the outline says less and less about a place. */
const outlineZoom = 8

/** Goes over from one value to the other where the outline has nothing more to say. */
function nearBy<T extends string | number>(far: T, near: T): ExpressionSpecification {
  return ['interpolate', ['linear'], ['zoom'], outlineZoom, far, outlineZoom + 2, near]
}

function dimmed(scheme: Scheme) {
  return scheme === 'dark' ? { 'raster-brightness-max': 0.6, 'raster-saturation': -0.4 } : {}
}

function contentSources({ points, lines }: MapContent): Record<string, SourceSpecification> {
  return {
    lines: { type: 'geojson', data: toLineFeatures(lines) },
    [pointSource]: {
      type: 'geojson',
      data: toPointFeatures(points),
      cluster: true,
      clusterRadius: clusterRadius(points.length),
      clusterMaxZoom: lastClusterZoom,
      clusterProperties: { bad: countOf('bad'), warn: countOf('warn') },
    },
  }
}

function countOf(kind: 'bad' | 'warn'): ExpressionSpecification {
  return ['+', ['case', ['==', ['get', 'kind'], kind], 1, 0]]
}

const isCluster: ExpressionSpecification = ['has', 'point_count']

function contentLayers({ scheme, selected }: MapContent): LayerSpecification[] {
  return [
    {
      id: 'lines',
      type: 'line',
      source: 'lines',
      paint: { 'line-color': kindColor(scheme), 'line-width': 1.5, 'line-dasharray': [2, 1.5] },
    },
    nameLayer(scheme, selected),
    ...clusterLayers(scheme),
    ...pointLayers(scheme, selected),
  ]
}

/** A bubble has the colour of the worst that is in it. */
function clusterLayers(scheme: Scheme): LayerSpecification[] {
  const { halo, cluster, bad, warn } = colorsOf(scheme)
  const worst = (ofBad: string, ofWarn: string, ofNone: string): ExpressionSpecification => [
    'case',
    ['>', ['get', 'bad'], 0],
    ofBad,
    ['>', ['get', 'warn'], 0],
    ofWarn,
    ofNone,
  ]
  return [
    {
      id: clusterLayer,
      type: 'circle',
      source: pointSource,
      filter: isCluster,
      paint: {
        'circle-color': worst(bad, warn, cluster),
        'circle-radius': ['step', ['get', 'point_count'], 14, 10, 18, 100, 22],
        'circle-stroke-width': 1,
        'circle-stroke-color': halo,
      },
    },
    {
      id: 'cluster-counts',
      type: 'symbol',
      source: pointSource,
      filter: isCluster,
      layout: {
        'text-field': ['get', 'point_count_abbreviated'],
        'text-size': 12,
        'text-allow-overlap': true,
        'icon-image': room,
        'icon-size': ['step', ['get', 'point_count'], 1.5, 10, 1.9, 100, 2.3],
        'icon-allow-overlap': true,
      },
      paint: { 'text-color': worst(halo, halo, anyMode.paper) },
    },
  ]
}

/** An image without colour, of the size of a point: where it is, no name is. */
export const room = 'room'

/** A state is a colour and a mark. */
function pointLayers(scheme: Scheme, selected: string | undefined): LayerSpecification[] {
  const { halo } = colorsOf(scheme)
  const filter: ExpressionSpecification = ['!', isCluster]
  const isGateway: ExpressionSpecification = ['==', ['get', 'shape'], 'gateway']
  return [
    {
      id: gatewayLayer,
      type: 'symbol',
      source: pointSource,
      filter: ['all', filter, isGateway],
      layout: {
        'icon-image': ['concat', `square ${scheme} `, ['get', 'kind']],
        'icon-size': ['case', isSelected(selected), 1.35, 1],
        'icon-allow-overlap': true,
      },
    },
    {
      id: pointLayer,
      type: 'circle',
      source: pointSource,
      filter: ['all', filter, ['!', isGateway]],
      paint: {
        'circle-color': kindColor(scheme),
        'circle-radius': ['case', isSelected(selected), 11, 8],
        'circle-stroke-width': 2,
        'circle-stroke-color': halo,
      },
    },
    {
      id: 'marks',
      type: 'symbol',
      source: pointSource,
      filter,
      layout: {
        'text-field': ['match', ['get', 'kind'], 'good', '✓', 'warn', '!', 'bad', '×', ''],
        'text-size': 13,
        'text-allow-overlap': true,
        'icon-image': room,
        'icon-allow-overlap': true,
      },
      paint: { 'text-color': halo },
    },
  ]
}

/**
 * Names stand below all marks in the style, so that MapLibre places them last: one that would cover a mark goes to
 * another side of its own, or is left out. What needs attention is named first.
 */
function nameLayer(scheme: Scheme, selected: string | undefined): LayerSpecification {
  const { text, halo } = colorsOf(scheme)
  return {
    id: 'names',
    type: 'symbol',
    source: pointSource,
    filter: ['!', isCluster],
    layout: {
      'text-field': ['get', 'name'],
      'text-size': 12,
      'text-variable-anchor': ['top', 'bottom', 'right', 'left'],
      'text-radial-offset': 1.4,
      'text-justify': 'auto',
      'text-max-width': 12,
      'symbol-sort-key': [
        'case',
        isSelected(selected),
        0,
        ['match', ['get', 'kind'], 'bad', 1, 'warn', 2, 3],
      ],
    },
    paint: { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.5 },
  }
}

/** The squares of gateways: the names that the style gives them, and their colours. */
export const squares = (['light', 'dark'] as const).flatMap((scheme) =>
  (['good', 'warn', 'bad', 'off', 'waiting'] as const).map((kind) => {
    const colors = colorsOf(scheme)
    const fill = colors[kind === 'waiting' ? 'off' : kind]
    return { name: `square ${scheme} ${kind}`, fill, edge: colors.halo }
  }),
)

function kindColor(scheme: Scheme): ExpressionSpecification {
  const { good, warn, bad, off } = colorsOf(scheme)
  return ['match', ['get', 'kind'], 'good', good, 'warn', warn, 'bad', bad, off]
}

function isSelected(selected: string | undefined): ExpressionSpecification {
  return ['==', ['get', 'id'], selected ?? '']
}
