/** What a dashboard may show: the kinds of widgets, what each is about, and its options. */

export const widgetTypes = [
  'value',
  'tiles',
  'chart',
  'table',
  'bars',
  'states',
  'gauge',
  'ranking',
  'alerts',
  'battery',
  'counts',
  'text',
  'heatmap',
  'map',
  'plan',
  'picture',
  'downlink',
] as const

export type WidgetType = (typeof widgetTypes)[number]

/**
 * `measured` widgets need a measurement or a quantity; `devices` ones are about all devices without a
 * source; `plan` is a floor plan, or those of a group; `some` devices must be named in any way.
 */
type Source = 'measured' | 'devices' | 'plan' | 'some' | 'none'

export const widgetOptions = [
  'range',
  'step',
  'aggregate',
  'show',
  'compare',
  'low',
  'high',
  'min',
  'max',
  'decimals',
  'order',
  'most',
  'text',
  'image',
  'f_port',
  'payload',
  'confirmed',
] as const

export type WidgetOption = (typeof widgetOptions)[number]

interface TypeFacts {
  source: Source
  options: readonly WidgetOption[]
  /** Those without which it shows nothing. */
  needs?: readonly WidgetOption[]
}

const limits = ['low', 'high', 'decimals'] as const

export const factsOfType: Record<WidgetType, TypeFacts> = {
  value: { source: 'measured', options: ['range', 'aggregate', ...limits] },
  tiles: { source: 'measured', options: ['range', 'aggregate', 'order', 'most', ...limits] },
  chart: { source: 'measured', options: ['range', 'step', 'show', 'min', 'max', ...limits] },
  table: { source: 'devices', options: ['most'] },
  bars: { source: 'measured', options: ['range', 'step', 'aggregate', 'compare', 'decimals'] },
  states: { source: 'devices', options: ['range', 'most'] },
  gauge: { source: 'measured', options: ['range', 'aggregate', 'min', 'max', ...limits] },
  ranking: { source: 'measured', options: ['range', 'aggregate', 'order', 'most', ...limits] },
  alerts: { source: 'devices', options: ['most'] },
  battery: { source: 'devices', options: ['most'] },
  counts: { source: 'devices', options: [] },
  text: { source: 'none', options: ['text'], needs: ['text'] },
  heatmap: { source: 'measured', options: ['range', 'aggregate', 'decimals'] },
  map: { source: 'devices', options: ['most'] },
  plan: { source: 'plan', options: [] },
  picture: { source: 'none', options: ['image'], needs: ['image'] },
  downlink: {
    source: 'some',
    options: ['f_port', 'payload', 'confirmed'],
    needs: ['f_port', 'payload'],
  },
}

/** The ranges that a dashboard and its widgets can have, in hours. */
export const hoursOf = {
  '1h': 1,
  '6h': 6,
  '24h': 24,
  '7d': 168,
  '30d': 720,
  '90d': 2160,
  '365d': 8760,
} as const

export type WidgetRange = keyof typeof hoursOf
export const widgetRanges = Object.keys(hoursOf) as [WidgetRange, ...WidgetRange[]]

export const columnCount = 12
/** Of an organization. */
export const mostDashboards = 200
export const mostWidgets = 60
/** Devices that a source names, and that a widget shows. */
export const mostDevices = 200
/** That one button sends a message to: they are named before. */
export const mostAddressed = 20
/** Floor plans of a group that one widget shows. */
export const mostPlans = 4
