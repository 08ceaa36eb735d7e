import { type KeyboardEvent, useState } from 'react'
import { type ChartData, placeNear, type TimeRange } from './chart-data.ts'

interface ChartKeys {
  data: ChartData
  /** The length of the part that a value stands for, in milliseconds. */
  width: number
  cursor: number | undefined
  moveTo: (index: number | undefined) => void
  zoom: (factor: number, around?: TimeRange) => void
  shift: (part: number) => void
  reset: () => void
}

/** Moves the cursor of a chart by keys, and remembers where they led, for screen readers. */
export function useChartKeys({ data, width, cursor, moveTo, zoom, shift, reset }: ChartKeys) {
  const [spoken, setSpoken] = useState<number>()
  const move = (steps: number) => {
    const place = placeNear(data, cursor ?? spoken, steps)
    moveTo(place)
    setSpoken(place)
  }
  const time = data.times[cursor ?? spoken ?? -1]
  const around = time === undefined ? undefined : { from: time, to: time + width }
  const acts: Record<string, () => void> = {
    ArrowLeft: () => move(-1),
    ArrowRight: () => move(1),
    Home: () => move(-data.times.length),
    End: () => move(data.times.length),
    PageUp: () => shift(-0.5),
    PageDown: () => shift(0.5),
    '+': () => zoom(0.5, around),
    '=': () => zoom(0.5, around),
    '-': () => zoom(2, around),
    '0': reset,
    Escape: () => {
      moveTo(undefined)
      setSpoken(undefined)
    },
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isFar = event.shiftKey && /^Arrow(Left|Right)$/.test(event.key)
    const act = isFar ? () => move(event.key === 'ArrowLeft' ? -10 : 10) : acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return { onKeyDown, spoken }
}

/**
 * The range that is `factor` as long, around a part of it. The part stays in it whole: what was
 * measured may be at its end.
 */
export function zoomedRange(range: TimeRange, factor: number, around?: TimeRange): TimeRange {
  const length = Math.max(60_000, (range.to - range.from) * factor)
  const center = around?.from ?? (range.from + range.to) / 2
  const place = (center - range.from) / (range.to - range.from || 1)
  const from = center - place * length
  const hidden = Math.max(0, (around?.to ?? 0) - (from + length))
  return { from: Math.round(from + hidden), to: Math.round(from + hidden + length) }
}
