import { formatMeasured, formatTime, formatValue, useFormats } from '../../../ui/formats.ts'
import { useTimeZone } from '../../../ui/time-zone.ts'
import { partOf } from '../dashboard.ts'
import { Nothing } from '../nothing.tsx'
import type { ViewProps } from './view.ts'
import classes from './views.module.css'

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** A row for each day and a field for each hour: the darker, the higher. */
export function HeatmapView({ widget, data, title }: ViewProps) {
  useFormats()
  const timeZone = useTimeZone()
  const [series] = data.series ?? []
  const { aggregate = 'avg', decimals = series?.decimals } = widget.options ?? {}
  const cells = (series?.points ?? []).flatMap((point) => {
    const value = partOf(point, aggregate, data)
    return value === undefined ? [] : [{ time: new Date(String(point[0])), value }]
  })
  if (!series || cells.length === 0) return <Nothing data={data} />
  const values = cells.map(({ value }) => value)
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const write = (value: number) =>
    aggregate === 'count'
      ? formatValue(value, null, 0)
      : formatMeasured(value, series.unit, decimals)
  const days = Map.groupBy(cells, ({ time }) => formatTime(time, { date: 'day' }, timeZone))
  const shareOf = (value: number) => (value - lowest) / (highest - lowest || 1)
  return (
    <table className={classes.heat}>
      <caption className={classes.facts}>
        <span className="visually-hidden">{title}: </span>
        {write(lowest)}
        <span className={classes.scale} aria-hidden />
        {write(highest)}
      </caption>
      <thead>
        <tr>
          <td />
          {hours.map((hour) => (
            <th key={hour} scope="col">
              {hour % 6 === 0 ? hour : <span className="visually-hidden">{hour}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...days].map(([day, own]) => {
          const byHour = new Map(own.map((cell) => [hourOf(cell.time, timeZone), cell.value]))
          return (
            <tr key={day}>
              <th scope="row">{day}</th>
              {hours.map((hour) => (
                <Cell key={hour} value={byHour.get(hour)} write={write} shareOf={shareOf} />
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

interface CellProps {
  value: number | undefined
  write: (value: number) => string
  shareOf: (value: number) => number
}

function Cell({ value, write, shareOf }: CellProps) {
  if (value === undefined) return <td />
  const text = write(value)
  return (
    <td title={text}>
      <span className={classes.heatCell} style={{ opacity: 0.12 + 0.88 * shareOf(value) }} />
      <span className="visually-hidden">{text}</span>
    </td>
  )
}

const formats = new Map<string, Intl.DateTimeFormat>()

function hourOf(time: Date, timeZone: string): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone })
  formats.set(timeZone, format)
  return Number(format.format(time))
}
