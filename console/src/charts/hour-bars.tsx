import { type KeyboardEvent, type PointerEvent, useMemo, useState } from 'react'
import { t } from '../languages/text.ts'
import { formatTime } from '../ui/formats.ts'
import { formatCount } from '../ui/numbers.ts'
import { useTimeZone } from '../ui/time-zone.ts'
import classes from './hour-bars.module.css'
import { type HourScale, scaleOf } from './hour-scale.ts'

export interface Hour {
  start: string
  /** Null where it is not known. */
  count: number | null
}

type Hours = readonly Hour[]

interface HourBarsProps {
  hours: Hours
  /** Shows the uplinks of an hour. */
  onOpen?: (start: string) => void
}

const height = 100

/**
 * Uplinks per hour over a week. The pointer or the arrow keys choose an hour, whose count is said
 * and shown; a click or Enter opens it.
 */
export function HourBars({ hours, onOpen }: HourBarsProps) {
  const timeZone = useTimeZone()
  const [chosen, setChosen] = useState<number>()
  const counts = useMemo(() => hours.map(({ count }) => count ?? 0), [hours])
  const most = Math.max(0, ...counts)
  const scale = useMemo(() => scaleOf(counts), [counts])
  const total = counts.reduce((sum, count) => sum + count, 0)
  const open = (index = chosen) => {
    const hour = index === undefined ? undefined : hours[index]
    if (hour) onOpen?.(hour.start)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return open()
    const next = stepOf(event.key, chosen ?? hours.length, hours.length)
    if (next === undefined) return
    event.preventDefault()
    setChosen(next)
  }
  const indexAt = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left) / width) * hours.length)
    return Math.min(hours.length - 1, Math.max(0, index))
  }
  const hour = chosen === undefined ? undefined : hours[chosen]
  const said = hour ?? hours.at(-1)
  const spoken = said && `${hourWords(said.start, timeZone)}: ${countWords(said.count)}`
  const summary =
    total === 0
      ? t('No uplink in 7 days')
      : t(
          '{total, plural, one {# uplink} other {# uplinks}} in 7 days, at most {most} in an hour',
          { total, most: formatCount(most) },
        )
  return (
    <figure className={classes.week}>
      <figcaption className={classes.weekHead}>
        <h2 className={classes.heading}>{t('Uplinks per hour')}</h2>
        <span className={classes.weekValue}>{hour ? spoken : summary}</span>
      </figcaption>
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden>
          <span>{formatCount(scale.top)}</span>
          <span>{formatCount(scale.top / 2)}</span>
          <span>0</span>
        </div>
        <div
          className={classes.bars}
          role="slider"
          aria-label={
            onOpen
              ? t('Uplinks per hour: {summary}. Enter opens the uplinks of an hour', { summary })
              : t('Uplinks per hour: {summary}', { summary })
          }
          aria-valuemin={1}
          aria-valuemax={hours.length}
          aria-valuenow={(chosen ?? hours.length - 1) + 1}
          aria-valuetext={spoken}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onBlur={() => setChosen(undefined)}
          onPointerMove={(event) => setChosen(indexAt(event))}
          onPointerLeave={() => setChosen(undefined)}
          onPointerUp={(event) => open(indexAt(event))}
          data-opens={onOpen !== undefined || undefined}
        >
          <svg viewBox={`0 0 ${hours.length} ${height}`} preserveAspectRatio="none" aria-hidden>
            <Bars hours={hours} scale={scale} chosen={chosen} />
          </svg>
        </div>
      </div>
      <DayLabels hours={hours} timeZone={timeZone} />
      {scale.isCut && (
        <p className={classes.cutNote}>
          {t('Hours with more than {top} uplinks are cut off at the top.', {
            top: formatCount(scale.top),
          })}
        </p>
      )}
    </figure>
  )
}

function Bars({
  hours,
  scale,
  chosen,
}: {
  hours: Hours
  scale: HourScale
  chosen?: number | undefined
}) {
  return hours.map(({ start, count }, index) => {
    const size = !count ? 0 : Math.max(1, Math.min(1, count / scale.top) * height)
    return (
      <g key={start} data-chosen={index === chosen || undefined} className={classes.hour}>
        <rect
          x={index}
          y={0}
          width={1}
          height={height}
          className={count === null ? classes.hourUnknown : classes.hourBack}
        />
        <rect x={index + 0.08} y={height - size} width={0.84} height={size} />
        {count !== null && count > scale.top && (
          <rect x={index} y={6} width={1} height={3} className={classes.hourCut} />
        )}
      </g>
    )
  })
}

/** The names of the days, each below its midnight in the user's zone. */
function DayLabels({ hours, timeZone }: { hours: Hours; timeZone: string }) {
  const days = useMemo(() => {
    const hourOf = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hour12: false })
    return hours.flatMap(({ start }, index) => {
      const time = new Date(start)
      const isMidnight = Number(hourOf.format(time)) % 24 === 0
      return isMidnight && index < hours.length - 12
        ? [{ index, name: formatTime(time, { date: 'weekday' }, timeZone) }]
        : []
    })
  }, [hours, timeZone])
  return (
    <div className={classes.days} aria-hidden>
      {days.map(({ index, name }) => (
        <span key={index} style={{ left: `${(index / hours.length) * 100}%` }}>
          {name}
        </span>
      ))}
    </div>
  )
}

function stepOf(key: string, from: number, count: number): number | undefined {
  if (key === 'ArrowLeft') return Math.max(0, from - 1)
  if (key === 'ArrowRight') return Math.min(count - 1, from + 1)
  if (key === 'PageUp') return Math.max(0, from - 24)
  if (key === 'PageDown') return Math.min(count - 1, from + 24)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

function hourWords(start: string, timeZone: string): string {
  return formatTime(new Date(start), { date: 'day', clock: 'minutes', zone: true }, timeZone)
}

function countWords(count: number | null): string {
  return count === null ? t('not known') : formatCount(count)
}
