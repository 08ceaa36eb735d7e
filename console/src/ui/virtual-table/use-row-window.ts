import { type RefObject, useEffect, useState } from 'react'

/** Rows from `first` to before `last`. */
export interface RowWindow {
  first: number
  last: number
}

/** Rows of a block. The window moves by blocks: most frames of a scroll then render nothing. */
export const blockSize = 2
/** Blocks above and below those in sight. */
const margin = 2

/**
 * The rows in sight, and some above and below. Their number is the same wherever the scroll is, so
 * that the elements of rows that leave the window do for those that enter it.
 */
export function windowOf(top: number, height: number, count: number, rowHeight: number): RowWindow {
  const blocks = Math.ceil(count / blockSize)
  const size = Math.min(blocks, Math.ceil(height / rowHeight / blockSize) + 1 + 2 * margin)
  const wanted = Math.floor(top / rowHeight / blockSize) - margin
  const first = Math.max(0, Math.min(wanted, blocks - size))
  return { first: first * blockSize, last: Math.min((first + size) * blockSize, count) }
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
