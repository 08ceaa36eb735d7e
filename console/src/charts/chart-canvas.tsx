import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import classes from './chart.module.css'
import { type ChartData, silencesOf, type TimeRange } from './chart-data.ts'
import { type ChartLook, coloursOf, makeOptions, toColumns } from './chart-options.ts'
import { listenToTouch } from './chart-touch.ts'

/** The questions that the frame of the chart may ask its picture. */
export interface ChartHandle {
  moveTo(index: number | undefined): void
}

interface ChartCanvasProps {
  data: ChartData
  look: ChartLook
  range: TimeRange | undefined
  scheme: 'light' | 'dark'
  handle: RefObject<ChartHandle | null>
  onCursor: (index: number | undefined) => void
  onSelect: (range: TimeRange) => void
}

/** The picture of a chart. What it shows is also in the frame around it, as text. */
export default function ChartCanvas(props: ChartCanvasProps) {
  const { data, look, range, scheme, handle } = props
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const latest = useRef(props)
  latest.current = props
  // A new chart is made only if the look changes. New values go to the same chart.
  const key = JSON.stringify([look, scheme])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the look
  useLayoutEffect(() => {
    const place = box.current
    if (!place) return
    let pinched: TimeRange | undefined
    const listening = {
      range: () => pinched ?? latest.current.range,
      silences: () => silencesOf(latest.current.data, look.width, latest.current.range),
      onCursor: (index: number | undefined) => latest.current.onCursor(index),
      onSelect: (selected: TimeRange) => latest.current.onSelect(selected),
    }
    const options = makeOptions(
      look,
      coloursOf(scheme, backOf(place)),
      listening,
      sizeOf(place, look),
    )
    const made = new uPlot(options, toColumns(latest.current.data, look), place)
    plot.current = made
    handle.current = { moveTo: (index) => moveCursor(made, index) }
    listenToTouch(made, {
      onPinch: (shown) => {
        pinched = shown
        if (shown) made.setScale('x', { min: shown.from, max: shown.to })
      },
      onSelect: listening.onSelect,
    })
    const observer = new ResizeObserver(() => {
      made.setSize(sizeOf(place, look))
    })
    observer.observe(place)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [key])

  const [from, to] = [range?.from, range?.to]
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new range is a new picture
  useEffect(() => {
    plot.current?.setData(toColumns(data, latest.current.look))
  }, [data, from, to])

  return <div ref={box} className={classes.canvas} data-height={look.height} />
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement, { height }: ChartLook) {
  return {
    width: Math.max(160, Math.floor(clientWidth)),
    height: height === 'fill' ? Math.max(80, Math.floor(clientHeight)) : height,
  }
}

function moveCursor(plot: uPlot, index: number | undefined): void {
  const time = index === undefined ? undefined : plot.data[0]?.[index]
  if (time === undefined || time === null) plot.setCursor({ left: -10, top: -10 })
  else plot.setCursor({ left: plot.valToPos(time, 'x'), top: plot.over.clientHeight / 2 })
}

/** What a label is written on. */
function backOf(place: HTMLElement): string {
  return getComputedStyle(place).getPropertyValue('--mantine-color-body').trim()
}
