import { type KeyboardEvent, useState } from 'react'
import { type ChartData, placeNear, type TimeRange } from './chart-data.ts'

interface ChartKeys {
  data: ChartData
  cursor: number | undefined
  moveTo: (index: number | undefined) => void
  zoom: (factor: number, around?: number) => void
  shift: (part: number) => void
  reset: () => void
}

/** Moves the cursor of a chart by keys, and remembers where they led, for screen readers. */
export function useChartKeys({ data, cursor, moveTo, zoom, shift, reset }: ChartKeys) {
  const [spoken, setSpoken] = useState<number>()
  const move = (steps: number) => {
    const place = placeNear(data, cursor ?? spoken, steps)
    moveTo(place)
    setSpoken(place)
  }
  const around = cursor === undefined ? undefined : data.times[cursor]
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

/** The range that is `factor` as long, around a time of it. */
export function zoomedRange(range: TimeRange, factor: number, around?: number): TimeRange {
  const length = (range.to - range.from) * factor
  const center = around ?? (range.from + range.to) / 2
  const part = (center - range.from) / (range.to - range.from || 1)
  const from = Math.round(center - part * length)
  return { from, to: Math.round(from + Math.max(60_000, length)) }
}
