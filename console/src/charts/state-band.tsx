import { useId } from 'react'
import type { Schemas } from '../api/generated.ts'
import { t } from '../languages/text.ts'
import { formatTime, useFormats } from '../ui/formats.ts'
import { formatCount, lengthText } from '../ui/numbers.ts'
import { exactTime } from '../ui/time.tsx'
import { useTimeZone } from '../ui/time-zone.ts'
import type { TimeRange } from './chart-data.ts'
import classes from './state-band.module.css'

type DeviceState = Schemas['DeviceState']

interface StateBandProps {
  state: DeviceState
  range: TimeRange
  /** In place of its label. */
  title?: string
  /** The values of all bands that are compared, for the same colours; its own unless given. */
  values?: readonly string[]
}

/** Colours of values; further ones begin again. */
const colours = 4
const labels = 5
const dayMs = 86_400_000

/** A state over time as a band, with how often and how long it had each value. */
export function StateBand({ state, range, title = state.label, values }: StateBandProps) {
  const id = useId()
  useFormats()
  const timeZone = useTimeZone()
  const { from, to } = range
  const placeOf = (time: number) =>
    (100 * (Math.min(to, Math.max(from, time)) - from)) / (to - from)
  const totals = state.totals.toSorted((one, other) => one.text.localeCompare(other.text))
  const order = values ?? valuesOf([state])
  const colourOf = (value: string) => order.indexOf(value) % colours
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <figcaption id={id} className={classes.title}>
        {title}
      </figcaption>
      <ul className={classes.totals}>
        {totals.map(({ value, text, count, seconds, longest }) => (
          <li key={value}>
            <span className={classes.swatch} data-colour={colourOf(value)} aria-hidden />
            <strong>{text}</strong> {lengthText(seconds)}
            {count > 0 &&
              t(', {count}, longest {longest}', {
                count: timesOf(count),
                longest: lengthText(longest),
              })}
          </li>
        ))}
      </ul>
      <div className={classes.band} aria-hidden>
        {state.intervals.map(({ value, text, from: start, to: end }) => {
          const [left, right] = [placeOf(Date.parse(start)), placeOf(end ? Date.parse(end) : to)]
          return (
            <span
              key={start}
              data-colour={colourOf(value)}
              style={{ left: `${left}%`, width: `${Math.max(0.15, right - left)}%` }}
              title={spanWords(text, timeZone, start, end)}
            />
          )
        })}
      </div>
      <div className={classes.axis} aria-hidden>
        {Array.from(
          { length: labels },
          (_, index) => from + ((to - from) * index) / (labels - 1),
        ).map((time) => (
          <span key={time}>{axisLabel(time, to - from, timeZone)}</span>
        ))}
      </div>
    </figure>
  )
}

/** All values of states, in the order of their words. */
export function valuesOf(states: readonly DeviceState[]): string[] {
  const texts = new Map(states.flatMap(({ totals }) => totals.map((one) => [one.value, one.text])))
  return [...texts.keys()].sort((one, other) =>
    (texts.get(one) ?? '').localeCompare(texts.get(other) ?? ''),
  )
}

function spanWords(text: string, timeZone: string, start: string, end: string | null): string {
  const from = exactTime(new Date(start), timeZone)
  return end
    ? t('{text} from {from} to {to}', { text, from, to: exactTime(new Date(end), timeZone) })
    : t('{text} from {from}', { text, from })
}

function timesOf(count: number): string {
  return count === 1 ? t('once') : t('{count} times', { count: formatCount(count) })
}

function axisLabel(time: number, span: number, timeZone: string): string {
  if (span <= 2 * dayMs) return formatTime(time, { clock: 'minutes' }, timeZone)
  return formatTime(time, { date: span > 300 * dayMs ? 'full' : 'day' }, timeZone)
}
