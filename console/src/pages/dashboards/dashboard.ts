import type { Schemas } from '../../api/generated.ts'
import { t } from '../../languages/text.ts'

/** The words of dashboards and their widgets. */

export type Dashboard = Schemas['Dashboard']
export type ListedDashboard = Schemas['ListedDashboard']
export type Widget = Schemas['Widget']
export type WidgetType = Widget['type']
export type WidgetSource = NonNullable<Widget['source']>
export type WidgetOptions = NonNullable<Widget['options']>
export type WidgetData = Schemas['WidgetData']
export type WidgetSeries = Schemas['WidgetSeries']
export type Variable = Schemas['DashboardVariable']
export type RangeWord = Dashboard['range']
export type Aggregate = NonNullable<WidgetOptions['aggregate']>

export const dashboardReads = ['GET /dashboards', 'GET /dashboards/{dashboard_id}'] as const

/** By the range: its name in few words, and in more. */
export const rangeNames: Record<RangeWord, [short: string, long: string]> = {
  '1h': ['1 h', t('Last hour')],
  '6h': ['6 h', t('Last 6 hours')],
  '24h': ['24 h', t('Last 24 hours')],
  '7d': ['7 d', t('Last 7 days')],
  '30d': ['30 d', t('Last 30 days')],
  '90d': ['90 d', t('Last 90 days')],
  '365d': ['1 y', t('Last year')],
}
export const rangeWords = Object.keys(rangeNames) as RangeWord[]

const hour = 3_600_000
/** Milliseconds of each step of the API. */
export const lengthOfStep: Record<string, number> = {
  '1m': hour / 60,
  '5m': hour / 12,
  '10m': hour / 6,
  '15m': hour / 4,
  '30m': hour / 2,
  '1h': hour,
  '2h': 2 * hour,
  '3h': 3 * hour,
  '6h': 6 * hour,
  '12h': 12 * hour,
  '1d': 24 * hour,
  '1w': 168 * hour,
}

interface TypeWords {
  name: string
  /** What it is for. */
  about: string
  /** It needs a measurement; is about devices; a floor plan; devices that are named; or about nothing. */
  of: 'measured' | 'devices' | 'plan' | 'some' | 'none'
  /** As wide and high as it begins. */
  size: [w: number, h: number]
  options: readonly (keyof WidgetOptions)[]
}

const limits = ['low', 'high', 'decimals'] as const

/** In the order in which they are offered. */
export const widgetWords: Record<WidgetType, TypeWords> = {
  value: {
    name: t('Value'),
    about: t('One number, with its trend'),
    of: 'measured',
    size: [3, 3],
    options: ['range', 'aggregate', ...limits],
  },
  tiles: {
    name: t('Tiles'),
    about: t('The latest number of many devices'),
    of: 'measured',
    size: [6, 4],
    options: ['range', 'aggregate', 'order', 'most', ...limits],
  },
  chart: {
    name: t('Chart'),
    about: t('Lines over time, or an average with its band'),
    of: 'measured',
    size: [6, 5],
    options: ['range', 'show', 'step', ...limits],
  },
  table: {
    name: t('Latest readings'),
    about: t('What each device says, and since when'),
    of: 'devices',
    size: [6, 5],
    options: ['most'],
  },
  bars: {
    name: t('Bars'),
    about: t('Hours, days or weeks, beside the period before'),
    of: 'measured',
    size: [6, 5],
    options: ['range', 'step', 'aggregate', 'compare', 'decimals'],
  },
  states: {
    name: t('States'),
    about: t('When doors and switches were in which state'),
    of: 'devices',
    size: [12, 5],
    options: ['range', 'most'],
  },
  gauge: {
    name: t('Gauge'),
    about: t('A number on a scale'),
    of: 'measured',
    size: [3, 4],
    options: ['range', 'aggregate', 'min', 'max', ...limits],
  },
  ranking: {
    name: t('Ranking'),
    about: t('The highest or the lowest first'),
    of: 'measured',
    size: [6, 5],
    options: ['range', 'aggregate', 'order', 'most', ...limits],
  },
  alerts: {
    name: t('Alerts'),
    about: t('Open alerts, newest first'),
    of: 'devices',
    size: [6, 5],
    options: ['most'],
  },
  battery: {
    name: t('Battery and silence'),
    about: t('Devices that are silent, or low on power'),
    of: 'devices',
    size: [6, 5],
    options: ['most'],
  },
  counts: {
    name: t('Devices'),
    about: t('How many devices are well, silent, or need attention'),
    of: 'devices',
    size: [12, 2],
    options: [],
  },
  text: {
    name: t('Text'),
    about: t('Notes, headings and links, in Markdown'),
    of: 'none',
    size: [4, 3],
    options: ['text'],
  },
  heatmap: {
    name: t('Heat map'),
    about: t('The average of each hour, day by day'),
    of: 'measured',
    size: [6, 5],
    options: ['range', 'aggregate', 'decimals'],
  },
  map: {
    name: t('Map'),
    about: t('Where devices are, and how they are'),
    of: 'devices',
    size: [6, 6],
    options: ['most'],
  },
  plan: {
    name: t('Floor plan'),
    about: t('The devices on a drawing of the place'),
    of: 'plan',
    size: [6, 6],
    options: [],
  },
  picture: {
    name: t('Picture'),
    about: t('A photo or a drawing'),
    of: 'none',
    size: [4, 4],
    options: ['image'],
  },
  downlink: {
    name: t('Button'),
    about: t('Sends a message to devices, after a confirmation'),
    of: 'some',
    size: [3, 2],
    options: ['f_port', 'payload', 'confirmed'],
  },
}

/** What is shown as it is stored: the service reads nothing for it. */
export const isStill = (type: WidgetType) => type === 'text' || type === 'picture'

/** Buttons are for those who may press them. */
export const isFor = ({ type }: Widget, maySend: boolean) => type !== 'downlink' || maySend

/** What a widget of measurements says unless it is told otherwise. */
export function usualAggregate(type: WidgetType): Aggregate {
  return type === 'bars' || type === 'heatmap' ? 'avg' : 'last'
}

export const aggregateNames: Record<Aggregate, string> = {
  last: t('Latest'),
  avg: t('Average'),
  min: t('Lowest'),
  max: t('Highest'),
  count: t('Number of values'),
}

/** The title of a widget: its own, or what it shows. */
export function titleOf({ title, type }: Widget, data?: WidgetData): string {
  if (title) return title
  return data?.series?.[0]?.label ?? widgetWords[type].name
}

/** Of one point of a series, by the name of the aggregate. */
export function partOf(
  point: WidgetSeries['points'][number] | undefined,
  aggregate: Aggregate,
  { aggregate: names = [] }: WidgetData,
): number | undefined {
  const value = point?.[names.indexOf(aggregate) + 1]
  return typeof value === 'number' && names.includes(aggregate) ? value : undefined
}

/** Whether a value is beyond a limit of its widget. */
export function markOf(
  value: number,
  { low, high }: WidgetOptions = {},
): 'low' | 'high' | undefined {
  if (low !== undefined && value < low) return 'low'
  return high !== undefined && value > high ? 'high' : undefined
}

/** The range that data is about, in milliseconds. */
export function rangeOfData({ from, to }: WidgetData) {
  return { from: Date.parse(from), to: Date.parse(to) }
}
