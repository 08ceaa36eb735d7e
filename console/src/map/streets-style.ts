import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { colours } from '../ui/tokens.ts'

/**
 * Draws vector tiles of the three usual layouts, Protomaps, OpenMapTiles and Shortbread: each names its
 * layers in its own way, and a layer that a tile lacks draws nothing. Few colours, so that the points
 * stand out.
 */
export function streetLayers(scheme: 'light' | 'dark', source: string): LayerSpecification[] {
  const color = colours[scheme]
  const names = {
    'text-color': color['map-street-text'],
    'text-halo-color': color['map-land'],
    'text-halo-width': 1.2,
  }
  const of = (layers: readonly string[], id: string, layer: object) =>
    layers.map(
      (name) =>
        ({ id: `${id} ${name}`, source, 'source-layer': name, ...layer }) as LayerSpecification,
    )
  const roads = ['roads', 'transportation', 'streets']
  return [
    { id: 'ground', type: 'background', paint: { 'background-color': color['map-land'] } },
    ...of(['landcover', 'landuse', 'land'], 'parks', {
      type: 'fill',
      filter: isOf(green),
      paint: { 'fill-color': color['map-park'] },
    }),
    ...of(['water', 'ocean', 'water_polygons'], 'water', {
      type: 'fill',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': color['map-sea'] },
    }),
    ...of(['water', 'waterway', 'water_lines'], 'rivers', {
      type: 'line',
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { 'line-color': color['map-sea'], 'line-width': widen(0.5, 3) },
    }),
    ...of(['buildings', 'building'], 'buildings', {
      type: 'fill',
      minzoom: 13,
      paint: { 'fill-color': color['map-building'] },
    }),
    ...of(roads, 'edges', road(minor, color['map-road-edge'], 1.5, 15)),
    ...of(roads, 'main edges', road(major, color['map-road-edge'], 2.5, 24)),
    ...of(roads, 'minor', road(minor, color['map-road'], 0.5, 12)),
    ...of(roads, 'major', road(major, color['map-road'], 1.2, 20)),
    ...of(['boundaries', 'boundary'], 'borders', {
      type: 'line',
      filter: ['any', isOf(['country']), ['<=', ['to-number', ['get', 'admin_level'], 99], 2]],
      paint: { 'line-color': color['map-border'], 'line-width': 0.8 },
    }),
    ...of(['roads', 'transportation_name', 'street_labels'], 'street names', {
      type: 'symbol',
      minzoom: 14,
      layout: { 'symbol-placement': 'line', 'text-field': ['get', 'name'], 'text-size': 11 },
      paint: names,
    }),
    ...of(['places', 'place', 'place_labels'], 'place names', {
      type: 'symbol',
      layout: { 'text-field': ['get', 'name'], 'text-size': widen(10, 16), 'text-max-width': 8 },
      paint: names,
    }),
  ]
}

// biome-ignore format: lists of words
const green = [
  'park', 'forest', 'wood', 'grass', 'grassland', 'meadow', 'garden', 'cemetery', 'golf_course', 'scrub',
  'nature_reserve', 'national_park', 'protected_area', 'recreation_ground', 'village_green', 'allotments',
]
// biome-ignore format: as above
const major = [
  'highway', 'major_road', 'motorway', 'trunk', 'primary', 'secondary', 'tertiary',
]
// biome-ignore format: as above
const minor = [
  'minor_road', 'minor', 'residential', 'unclassified', 'service', 'living_street', 'pedestrian', 'track', 'path',
  'footway', 'cycleway', 'steps', 'rail', 'light_rail', 'tram', 'subway',
]

/** OpenMapTiles says `class`, the others say `kind`. */
function isOf(kinds: readonly string[]): ExpressionSpecification {
  return ['in', ['coalesce', ['get', 'kind'], ['get', 'class'], ''], ['literal', [...kinds]]]
}

/** A line from far away, and near by. */
function road(kinds: readonly string[], color: string, far: number, near: number) {
  return {
    type: 'line',
    ...(kinds === minor && { minzoom: 11 }),
    filter: isOf(kinds),
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': color, 'line-width': widen(far, near) },
  }
}

function widen(far: number, near: number): ExpressionSpecification {
  return ['interpolate', ['exponential', 1.5], ['zoom'], 8, far, 18, near]
}
