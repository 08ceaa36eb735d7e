import type { ReactNode, Ref } from 'react'
import classes from './grid.module.css'
import { type Box, inOrder } from './layout.ts'

interface DashboardGridProps<T extends Box> {
  items: readonly T[]
  keyOf: (item: T) => string
  children: (item: T) => ReactNode
  gridRef?: Ref<HTMLDivElement>
  isEdited?: boolean
  /** How many there are: a wall divides its height by it. */
  rows?: number
}

/** Twelve columns; on phones one. What is read first comes first. */
export function DashboardGrid<T extends Box>(props: DashboardGridProps<T>) {
  const { items, keyOf, children, gridRef, isEdited, rows } = props
  return (
    <div
      ref={gridRef}
      className={classes.grid}
      data-edited={isEdited || undefined}
      style={{ '--rows': rows } as Record<string, number | undefined>}
    >
      {inOrder(items).map((item) => (
        <div key={keyOf(item)} className={classes.cell} style={placeOf(item)}>
          {children(item)}
        </div>
      ))}
    </div>
  )
}

/** For the style sheet, which leaves columns out on phones. */
function placeOf({ x, y, w, h }: Box) {
  return { '--x': x + 1, '--y': y + 1, '--w': w, '--h': h } as Record<string, number>
}
