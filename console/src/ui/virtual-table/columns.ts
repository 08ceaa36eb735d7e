import type { ReactNode } from 'react'

/** The context that a cell needs besides its row. */
export interface CellContext {
  /** For everything in the cell that can have the focus: one row at a time is in the tab order. */
  tabIndex: 0 | -1
}

export interface TableColumn<T> {
  id: string
  title: string
  /** The least width, in pixels. */
  width: number
  /** Its part of the width that is left over; none by default. */
  grows?: number
  /** Numbers stand at the right, in figures of one width. */
  isNumber?: boolean
  /** The name of the order by this column; undefined if there is none. */
  sort?: string
  /** Called for each row that is shown: plain elements only, so that scrolling stays smooth. */
  cell: (row: T, context: CellContext) => ReactNode
}

export interface TableSort {
  sort: string
  order: 'asc' | 'desc'
}

const checkboxWidth = 40

/** The columns as CSS, and the width below which the table scrolls sideways. */
export function layoutOf<T>(columns: readonly TableColumn<T>[], isSelectable: boolean) {
  const widths = columns.map(({ width, grows }) =>
    grows ? `minmax(${width}px, ${grows}fr)` : `${width}px`,
  )
  const least = columns.reduce((sum, { width }) => sum + width, isSelectable ? checkboxWidth : 0)
  return {
    template: [...(isSelectable ? [`${checkboxWidth}px`] : []), ...widths].join(' '),
    minimum: `${least}px`,
  }
}
