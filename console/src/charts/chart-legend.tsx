import { t } from '../languages/text.ts'
import { useTimeZone } from '../ui/time-zone.ts'
import classes from './chart.module.css'
import { type ChartData, type ChartSeries, writeValue } from './chart-data.ts'
import { pointTime } from './chart-times.ts'
import { colourName, dashes, mostSeries } from './series-styles.ts'

interface ReadoutProps {
  data: ChartData
  /** The position of the cursor. If it is undefined, only the names are shown. */
  index: number | undefined
  unit: string | null
  decimals?: number | null
  width: number
  isBars: boolean
}

/** The names of the series, with their values at the cursor. */
export function ChartLegend(props: ReadoutProps) {
  const { data, index, isBars } = props
  const timeZone = useTimeZone()
  const time = index === undefined ? undefined : data.times[index]
  // One series has the name of the chart.
  const isAlone = data.series.length === 1
  return (
    <ul className={classes.legend} data-alone={isAlone || undefined}>
      {(isAlone && index === undefined ? [] : data.series).map((series, place) => (
        <li key={series.name}>
          <Swatch place={place} isBars={isBars} />
          <span>
            {series.name}
            {index !== undefined && <strong> {valueAt(series, props)}</strong>}
          </span>
        </li>
      ))}
      {time !== undefined && (
        <li className={classes.moment}>{pointTime(time, timeZone, props.width)}</li>
      )}
    </ul>
  )
}

/** The values at the cursor, as a sentence. */
export function readOut(props: ReadoutProps, timeZone: string): string {
  const { data, index } = props
  if (index === undefined) return ''
  const values = data.series.map((series) => `${series.name} ${valueAt(series, props)}`)
  return `${pointTime(data.times[index] ?? 0, timeZone, props.width)}: ${values.join(', ')}`
}

function valueAt(
  { values, low, high }: ChartSeries,
  { index, unit, decimals }: ReadoutProps,
): string {
  const value = index === undefined ? undefined : values[index]
  if (index === undefined || typeof value !== 'number') return t('no value')
  const [lowest, highest] = [low?.[index], high?.[index]]
  const isRange = typeof lowest === 'number' && typeof highest === 'number' && lowest !== highest
  const write = (one: number) => writeValue(one, undefined, decimals)
  const written = writeValue(value, unit, decimals)
  return isRange
    ? t('{written} ({lowest} to {highest})', {
        written,
        lowest: write(lowest),
        highest: write(highest),
      })
    : written
}

function Swatch({ place, isBars }: { place: number; isBars: boolean }) {
  const colour = `var(--${colourName(place)})`
  return (
    <svg className={classes.swatch} viewBox="0 0 32 12" aria-hidden="true">
      {isBars ? (
        <rect x="10" y="1" width="11" height="10" fill={colour} />
      ) : (
        <line
          x1="0"
          x2="32"
          y1="6"
          y2="6"
          stroke={colour}
          strokeWidth="2"
          strokeDasharray={dashes[place % mostSeries]?.join(' ')}
        />
      )}
    </svg>
  )
}
