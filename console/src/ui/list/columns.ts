import type { ReactNode } from 'react'

/** The context that a cell needs besides its row. */
export interface CellContext {
  /** For everything in the cell that can have the focus: one row at a time is in the tab order. */
  tabIndex: 0 | -1
}

export interface Column<T> {
  /** Its name in the choice of columns; the title by default. */
  id?: string
  title: string
  /** What a cell shows. In long lists, plain elements only: scrolling has to stay smooth. */
  cell: (row: T, context: CellContext) => ReactNode
  /** The least width in pixels, in long lists. Where not all fit, each row has two lines. */
  width?: number
  /** Its part of the width that is left over, in long lists; none by default. */
  grows?: number
  /** Numbers stand at the right, in figures of one width. */
  isNumber?: boolean
  /** Left out on phones. */
  isExtra?: boolean
  /** Never broken into lines: times and addresses, whose length has a bound. */
  isOneLine?: boolean
  /**
   * In a list with a `title`, phones show each row in two lines: `title` and `side` above, and all
   * other columns below.
   */
  phone?: 'title' | 'side'
  /** The name of the order by this column, in the address; undefined if there is none. */
  sort?: string
}

/** What a cell, or the head of its column, says to the style sheet. */
export function marksOf<T>({ isNumber, isExtra, isOneLine, phone }: Column<T>) {
  return {
    'data-number': isNumber || undefined,
    'data-extra': isExtra || undefined,
    'data-one-line': isOneLine || undefined,
    'data-phone': phone,
  }
}

const boxWidth = 40

/** The columns of a long list as CSS, and the least width of all together. */
export function layoutOf<T>(columns: readonly Column<T>[], hasBoxes: boolean) {
  const widths = columns.map(({ width = 100, grows }) =>
    grows ? `minmax(${width}px, ${grows}fr)` : `${width}px`,
  )
  return {
    template: [...(hasBoxes ? [`${boxWidth}px`] : []), ...widths].join(' '),
    least: columns.reduce((sum, { width = 100 }) => sum + width, hasBoxes ? boxWidth : 0),
  }
}
