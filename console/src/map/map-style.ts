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

export type Scheme = 'light' | 'dark'

/** The operator's own tiles, from the setting MAP_TILES. */
export interface Tiles {
  url: string
  attribution: string
}

interface MapContent {
  scheme: Scheme
  points: readonly MapPoint[]
  lines: readonly MapLine[]
  selected: string | undefined
  outline: FeatureCollection | undefined
  tiles: Tiles | undefined
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

function baseSources({ outline, tiles }: MapContent): Record<string, SourceSpecification> {
  if (tiles) {
    return { tiles: { type: 'raster', tiles: [tiles.url], tileSize: 256 } }
  }
  return { outline: { type: 'geojson', data: outline ?? emptyCollection } }
}

const emptyCollection: FeatureCollection = { type: 'FeatureCollection', features: [] }

function baseLayers({ scheme, tiles }: MapContent): LayerSpecification[] {
  const { sea, land, border } = colorsOf(scheme)
  const background = { 'background-color': sea }
  if (tiles) {
    return [
      { id: 'sea', type: 'background', paint: background },
      // Tiles are made for light pages.
      { id: 'tiles', type: 'raster', source: 'tiles', paint: dimmed(scheme) },
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
      },
      paint: { 'text-color': worst(halo, halo, anyMode.paper) },
    },
  ]
}

/** A state is a colour and a mark. */
function pointLayers(scheme: Scheme, selected: string | undefined): LayerSpecification[] {
  const { text, halo } = colorsOf(scheme)
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
        'icon-ignore-placement': true,
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
        'text-ignore-placement': true,
      },
      paint: { 'text-color': halo },
    },
    {
      id: 'names',
      type: 'symbol',
      source: pointSource,
      filter,
      layout: {
        'text-field': ['get', 'name'],
        'text-size': 12,
        'text-offset': [0, 1.1],
        'text-anchor': 'top',
        'text-max-width': 12,
        'text-optional': true,
      },
      paint: { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.5 },
    },
  ]
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
