import type { Content, TableCell } from 'pdfmake/interfaces.js'
import { type Formats, writeTime } from '../../../lora/formats.ts'
import { conversionFor, writeMeasured } from '../../../lora/units.ts'
import { type Say, sayIn, text } from '../../../texts/texts.ts'
import type { Widget } from '../../insight/dashboards/widget-body.ts'
import type { WidgetData } from '../../insight/dashboards/widget-data.ts'
import type { ReportedWidget } from './dashboard-data.ts'
import { barsSvg, lineSvg } from './dashboard-svg.ts'

/** The widgets of a dashboard on paper: charts as drawings, what has rows as tables. */

type Series = NonNullable<WidgetData['series']>[number]

interface Look {
  formats: Formats
  timeZone: string
}

const typeNames: Partial<Record<Widget['type'], string>> = {
  table: text('Latest readings'),
  states: text('States'),
  alerts: text('Open alerts'),
  battery: text('Battery and silence'),
  counts: text('Devices'),
}

const severityNames = {
  info: text('info'),
  warning: text('warning'),
  critical: text('critical'),
}

const verdictNames = {
  ok: text('ok'),
  attention: text('attention'),
  silent: text('silent'),
  new: text('new'),
  inactive: text('inactive'),
}

const verdictCounts = {
  ok: text('{count, number} OK'),
  attention: text('{count, plural, one {# attention} other {# attention}}'),
  silent: text('{count, number} silent'),
  new: text('{count, number} new'),
  inactive: text('{count, number} inactive'),
}

export function titleOf({ title, type }: Widget, data: WidgetData, say: Say): string {
  const usual = typeNames[type]
  return title || data.series?.[0]?.label || (usual ? say(usual) : '')
}

export function describeWidget({ widget, data }: ReportedWidget, look: Look): Content[] {
  const title = titleOf(widget, data, sayIn(look.formats))
  const head: Content[] = title === '' ? [] : [{ text: title, style: 'heading' }]
  if (data.error) return [...head, { text: data.error, style: 'small' }]
  return [...head, ...describeContent(widget, data, look)]
}

/** A new one each time: pdfmake writes into what it lays out. */
const nothing = ({ formats }: Look): Content => ({
  text: sayIn(formats)('Nothing in this time.'),
  style: 'small',
})

function describeContent(widget: Widget, data: WidgetData, look: Look): Content[] {
  const { type, options = {} } = widget
  if (type === 'text') return [{ text: plainText(options.text ?? ''), margin: [0, 4, 0, 4] }]
  if (type === 'picture') return options.image ? [{ image: options.image, fit: [400, 240] }] : []
  if (type === 'counts') return [countWords(data, look)]
  if (type === 'alerts') return describeAlerts(data, look)
  if (type === 'states') return describeStates(data, look)
  if (type === 'table' || type === 'battery') return describeDevices(type, data, look)
  const series = data.series ?? []
  if (series.length === 0) return [nothing(look)]
  if (type === 'chart' || type === 'heatmap') return describeLines(series, data, look)
  if (type === 'bars') return describeBars(series, data, look)
  return describeValues(widget, series, data, look)
}

/** Markdown without its marks. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^#+\s*/gm, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]{1,3}/g, '')
}

function countWords({ counts }: WidgetData, look: Look): Content {
  if (!counts) return nothing(look)
  const say = sayIn(look.formats)
  const { low_battery: low } = counts
  const parts = [
    say('{count, plural, one {# device} other {# devices}}', { count: counts.total }),
    ...(['ok', 'attention', 'silent', 'new', 'inactive'] as const)
      .filter((state) => counts[state] > 0)
      .map((state) => say(verdictCounts[state], { count: counts[state] })),
    ...(low > 0 ? [say('{count, number} with a low battery', { count: low })] : []),
  ]
  return { text: parts.join(' · ') }
}

function table(heads: readonly string[], rows: TableCell[][], look: Look): Content[] {
  if (rows.length === 0) return [nothing(look)]
  const head = heads.map((head) => ({ text: head, style: 'head' }))
  const widths = heads.map((_, at) => (at === 0 ? '*' : 'auto'))
  return [
    {
      table: { headerRows: 1, dontBreakRows: true, widths, body: [head, ...rows] },
      layout: 'lightHorizontalLines',
    },
  ]
}

const clock = (time: string | null, { formats, timeZone }: Look) =>
  time === null
    ? '–'
    : writeTime(new Date(time), { date: 'full', clock: 'minutes' }, timeZone, formats)

function describeAlerts({ alerts = [] }: WidgetData, look: Look): Content[] {
  const say = sayIn(look.formats)
  const rows = alerts.map((alert) => [
    alert.rule_name,
    alert.device?.name ?? alert.gateway?.name ?? '',
    say(severityNames[alert.severity]),
    clock(alert.began_at, look),
  ])
  return table([say('Alert'), say('Of'), say('Severity'), say('Since')], rows, look)
}

function describeStates({ states = [] }: WidgetData, look: Look): Content[] {
  const { formats } = look
  const say = sayIn(formats)
  const hours = (seconds: number) =>
    writeMeasured(seconds / 3600, { unit: 'h', decimals: 1 }, formats)
  const rows = states.flatMap(({ device_name, label, totals }) =>
    totals.map(({ text, count, seconds, longest }) => [
      `${device_name}: ${label}`,
      text,
      String(count),
      hours(seconds),
      hours(longest),
    ]),
  )
  const heads = [say('Device'), say('State'), say('Times'), say('Together'), say('Longest')]
  return table(heads, rows, look)
}

function describeDevices(
  type: 'table' | 'battery',
  { devices = [] }: WidgetData,
  look: Look,
): Content[] {
  const say = sayIn(look.formats)
  const rows = devices.map(({ device_name, reading, battery, last_seen, verdict }) => [
    device_name,
    type === 'table' ? readingText(reading, look) : say(verdictNames[verdict.state]),
    ...(type === 'table'
      ? []
      : [battery === null ? '–' : writeMeasured(battery, { unit: 'V' }, look.formats)]),
    clock(reading?.time ?? last_seen, look),
  ])
  const heads = type === 'table' ? [say('Reading')] : [say('State'), say('Battery')]
  return table([say('Device'), ...heads, say('Heard')], rows, look)
}

type Reading = NonNullable<WidgetData['devices']>[number]['reading']

function readingText(reading: Reading, { formats }: Look): string {
  if (!reading) return '–'
  const parts = reading.parts.map(({ value, unit, decimals, text, prefix }) =>
    typeof value === 'number' && prefix !== null
      ? `${prefix}${writeMeasured(value, { unit, decimals }, formats)}`
      : text,
  )
  return parts.length > 0 ? parts.join(' · ') : reading.text
}

/** Paper has room for few lines; the others are in the table below. */
const mostLines = 8
const moreLines = text('and {count, number} more, in the table for spreadsheets')

function describeLines(all: readonly Series[], data: WidgetData, look: Look): Content[] {
  const byUnit = [...Map.groupBy(all, ({ unit }) => unit).values()]
  return byUnit.flatMap((series) => {
    const drawn = series.slice(0, mostLines)
    const unit = series[0]?.unit ?? null
    const conversion = conversionFor(unit, look.formats)
    const lines = drawn.map((one) => ({
      name: nameOf(one, look),
      points: pointsOf(one, data, 'avg').map(([time, value]): [number, number] => [
        time,
        conversion ? conversion.convert(value) : value,
      ]),
    }))
    const frame = frameOf(data, conversion?.unit ?? unit, look)
    const more = series.length - drawn.length
    return [
      { svg: lineSvg(lines, frame), width: frame.width },
      ...(more > 0
        ? [{ text: sayIn(look.formats)(moreLines, { count: more }), style: 'small' }]
        : []),
    ]
  })
}

function describeBars(all: readonly Series[], data: WidgetData, look: Look): Content[] {
  const [first] = all
  const aggregate = data.aggregate?.[0] ?? 'avg'
  if (!first) return [nothing(look)]
  const conversion = aggregate === 'count' ? undefined : conversionFor(first.unit, look.formats)
  const bars = pointsOf(first, data, aggregate).map(([time, value]): [number, number] => [
    time,
    conversion ? conversion.convert(value) : value,
  ])
  const unit = aggregate === 'count' ? null : (conversion?.unit ?? first.unit)
  const frame = frameOf(data, unit, look)
  return [{ svg: barsSvg(bars, frame), width: frame.width }]
}

function frameOf({ from, to }: WidgetData, unit: string | null, { formats, timeZone }: Look) {
  const write = (time: number) => writeTime(new Date(time), { date: 'day' }, timeZone, formats)
  return {
    ...{ width: 515, height: 150, from: Date.parse(from), to: Date.parse(to), unit },
    writeTime: write,
    writeValue: (value: number) => writeMeasured(value, { unit: null, decimals: null }, formats),
  }
}

function describeValues(
  { options = {}, type }: Widget,
  series: readonly Series[],
  data: WidgetData,
  look: Look,
): Content[] {
  const { formats } = look
  const say = sayIn(formats)
  const { aggregate = type === 'value' && (series[0]?.devices ?? 1) > 1 ? 'avg' : 'last' } = options
  const valued = series.flatMap((one) => {
    const values = pointsOf(one, data, aggregate).map(([, value]) => value)
    const value = summed(values, aggregate)
    return value === undefined ? [] : [{ one, value }]
  })
  if (type === 'ranking') {
    const sign = options.order === 'lowest' ? 1 : -1
    valued.sort((a, b) => sign * (a.value - b.value))
  }
  const rows = valued.slice(0, options.most ?? 100).map(({ one, value }): TableCell[] => {
    const { unit, decimals } = one
    const facts = aggregate === 'count' ? { unit: null, decimals: 0 } : { unit, decimals }
    return [nameOf(one, look), { text: writeMeasured(value, facts, formats), alignment: 'right' }]
  })
  return table([say('Device'), say('Value')], rows, look)
}

function summed(values: readonly number[], aggregate: string): number | undefined {
  if (values.length === 0) return undefined
  if (aggregate === 'min') return Math.min(...values)
  if (aggregate === 'max') return Math.max(...values)
  const sum = values.reduce((all, one) => all + one, 0)
  if (aggregate === 'count') return sum
  return aggregate === 'avg' ? sum / values.length : values.at(-1)
}

function nameOf({ device_name, devices, label }: Series, { formats }: Look): string {
  if (device_name !== null) return `${device_name}: ${label}`
  const say = sayIn(formats)
  return `${label}, ${say('{count, plural, one {# device} other {# devices}}', { count: devices ?? 0 })}`
}

function pointsOf({ points }: Series, { aggregate = [] }: WidgetData, name: string) {
  const place = (aggregate as string[]).indexOf(name) + 1
  return points.flatMap((point): [number, number][] => {
    const value = point[place]
    return place > 0 && typeof value === 'number' ? [[Date.parse(String(point[0])), value]] : []
  })
}
