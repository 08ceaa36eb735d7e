import { type RefObject, useEffect, useState } from 'react'

/** Rows from `first` to before `last`. */
export interface RowWindow {
  first: number
  last: number
}

/** The window moves by so many rows at a time: most frames of a scroll then render nothing. */
const step = 8

/** The rows in sight, and some above and below. */
export function windowOf(top: number, height: number, count: number, rowHeight: number): RowWindow {
  const first = Math.floor(top / rowHeight / step) * step - step
  const last = Math.ceil((top + height) / rowHeight / step) * step + step
  return { first: Math.max(0, Math.min(first, count)), last: Math.max(0, Math.min(last, count)) }
}

/** The rows that a scrolled element has to hold. All rows have one height, so it is arithmetic. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): RowWindow {
  const [range, setRange] = useState<RowWindow>(() => windowOf(0, 800, count, rowHeight))
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const next = windowOf(element.scrollTop, element.clientHeight, count, rowHeight)
      setRange((now) => (now.first === next.first && now.last === next.last ? now : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller, count, rowHeight])
  return range
}
