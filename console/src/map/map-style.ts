import type { FeatureCollection } from 'geojson'
import type {
  ExpressionSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl'
import { anyMode, colours } from '../ui/tokens.ts'
import { type Grid, gridZoom } from './map-grid.ts'
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
  grid: Grid
  tiles: Tiles | undefined
}

/** The colours of a mode; what has no state yet looks as what is off. */
function colorsOf(scheme: Scheme) {
  const tokens = colours[scheme]
  return {
    sea: tokens['map-sea'],
    land: tokens['map-land'],
    border: tokens['map-border'],
    grid: tokens['map-grid'],
    gridText: tokens.dimmed,
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

function baseSources({ outline, grid, tiles }: MapContent): Record<string, SourceSpecification> {
  if (tiles) {
    return { tiles: { type: 'raster', tiles: [tiles.url], tileSize: 256 } }
  }
  return {
    outline: { type: 'geojson', data: outline ?? emptyCollection },
    grid: { type: 'geojson', data: grid },
  }
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
    ...gridLayers(scheme),
  ]
}

/** Goes over from one value to the other where the outline gives way to the grid. */
function nearBy<T extends string | number>(far: T, near: T): ExpressionSpecification {
  return ['interpolate', ['linear'], ['zoom'], gridZoom + 1, far, gridZoom + 3, near]
}

function gridLayers(scheme: Scheme): LayerSpecification[] {
  const { grid, gridText, land } = colorsOf(scheme)
  return [
    {
      id: 'grid',
      type: 'line',
      source: 'grid',
      minzoom: gridZoom,
      paint: { 'line-color': grid, 'line-width': 1 },
    },
    {
      id: 'grid-labels',
      type: 'symbol',
      source: 'grid',
      minzoom: gridZoom,
      filter: ['has', 'anchor'],
      layout: {
        'text-field': ['get', 'label'],
        'text-size': 11,
        'text-anchor': ['get', 'anchor'],
        'text-offset': [
          'match',
          ['get', 'anchor'],
          'left',
          ['literal', [0.4, 0]],
          ['literal', [0, 0.3]],
        ],
        'text-padding': 4,
      },
      paint: { 'text-color': gridText, 'text-halo-color': land, 'text-halo-width': 2 },
    },
  ]
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
      clusterProperties: { bad: ['+', ['case', ['==', ['get', 'kind'], 'bad'], 1, 0]] },
    },
  }
}

function contentLayers({ scheme, selected }: MapContent): LayerSpecification[] {
  const { text, halo, cluster, bad } = colorsOf(scheme)
  const kind = kindColor(scheme)
  const isCluster: ExpressionSpecification = ['has', 'point_count']
  return [
    {
      id: 'lines',
      type: 'line',
      source: 'lines',
      paint: { 'line-color': kind, 'line-width': 1.5, 'line-dasharray': [2, 1.5] },
    },
    {
      id: clusterLayer,
      type: 'circle',
      source: pointSource,
      filter: isCluster,
      paint: {
        'circle-color': cluster,
        'circle-radius': ['step', ['get', 'point_count'], 14, 10, 18, 100, 22],
        'circle-stroke-width': ['case', ['>', ['get', 'bad'], 0], 3, 1],
        'circle-stroke-color': ['case', ['>', ['get', 'bad'], 0], bad, halo],
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
      paint: { 'text-color': anyMode.paper },
    },
    {
      id: pointLayer,
      type: 'circle',
      source: pointSource,
      filter: ['!', isCluster],
      paint: {
        'circle-color': kind,
        'circle-radius': ['case', isSelected(selected), 10, 7],
        'circle-stroke-width': 2,
        'circle-stroke-color': halo,
      },
    },
    {
      id: 'names',
      type: 'symbol',
      source: pointSource,
      filter: ['!', isCluster],
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

function kindColor(scheme: Scheme): ExpressionSpecification {
  const { good, warn, bad, off } = colorsOf(scheme)
  return ['match', ['get', 'kind'], 'good', good, 'warn', warn, 'bad', bad, off]
}

function isSelected(selected: string | undefined): ExpressionSpecification {
  return ['==', ['get', 'id'], selected ?? '']
}
