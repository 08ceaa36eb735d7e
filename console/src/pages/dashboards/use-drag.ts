import { type PointerEvent, type RefObject, useRef, useState } from 'react'
import { type Box, columnCount } from './layout.ts'

interface Drag<T> {
  item: T
  mode: 'move' | 'resize'
  x: number
  y: number
  column: number
  row: number
}

/** Pixels of a row with its gap, as in grid.module.css. */
const rowInRem = 3.75

interface DragOptions<T> {
  grid: RefObject<HTMLElement | null>
  /** Where the items would be. */
  preview: (item: T, to: Partial<Box>) => void
  drop: () => void
  cancel: () => void
}

/** Moves and resizes by mouse, pen or finger. */
export function useDrag<T extends Box>({ grid, preview, drop, cancel }: DragOptions<T>) {
  const drag = useRef<Drag<T>>(undefined)
  const [isDragged, setDragged] = useState(false)
  const end = (act: () => void) => {
    if (!drag.current) return
    drag.current = undefined
    setDragged(false)
    act()
  }
  const handlersOf = (item: T, mode: Drag<T>['mode']) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const columns = grid.current && getComputedStyle(grid.current).gridTemplateColumns
      // On phones there is one column: the menu moves widgets up and down.
      if (event.button !== 0 || columns?.split(' ').length !== columnCount) return
      const width = grid.current?.clientWidth ?? 0
      event.currentTarget.setPointerCapture(event.pointerId)
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const { clientX: x, pageY: y } = event
      drag.current = { item, mode, x, y, column: width / columnCount, row: rowInRem * rem }
      setDragged(true)
    },
    onPointerMove({ clientX, pageY }: PointerEvent) {
      if (!drag.current) return
      const { item: moved, x, y, column, row } = drag.current
      const right = Math.round((clientX - x) / column)
      const down = Math.round((pageY - y) / row)
      preview(
        moved,
        drag.current.mode === 'move'
          ? { x: moved.x + right, y: moved.y + down }
          : { w: moved.w + right, h: moved.h + down },
      )
    },
    onPointerUp: () => end(drop),
    onPointerCancel: () => end(cancel),
  })
  return { handlersOf, isDragged }
}
