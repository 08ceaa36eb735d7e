import { type CSSProperties, type ReactNode, useCallback, useMemo } from 'react'
import { type CellContext, layoutOf, type TableColumn, type TableSort } from './columns.ts'
import { TableBlocks } from './table-blocks.tsx'
import { TableHead } from './table-head.tsx'
import { useCopy } from './use-copy.ts'
import { useFillHeight } from './use-fill-height.ts'
import { useRowFocus } from './use-row-focus.ts'
import type { RowWindow } from './use-row-window.ts'
import type { RowKey, Selection } from './use-selection.ts'
import classes from './virtual-table.module.css'

export const rowHeight = 36
export const cardHeight = 64
const headHeight = 35
/** The head, the borders, and room for a bar that scrolls sideways. */
const aroundRows = headHeight + 17

export interface VirtualTableProps<T> {
  /** Read by screen readers. */
  caption: string
  columns: readonly TableColumn<T>[]
  /** The keys of all rows, in order. */
  keys: readonly RowKey[]
  /** The row, or undefined while it is read. */
  rowAt: (index: number) => T | undefined
  isGoneAt?: (index: number) => boolean
  /** What a row is called, in the name of its box. */
  labelOf: (row: T) => string
  /** The scrolled element and the rows it has to hold, by `useRowWindow`. */
  scroller: React.RefObject<HTMLDivElement | null>
  range: RowWindow
  /** Shows each row as one cell of two lines, with this content. */
  card?: ((row: T, context: CellContext) => ReactNode) | undefined
  sort?: TableSort | undefined
  onSort?: (sort: TableSort) => void
  selection?: Selection | undefined
  onOpen?: (row: T) => void
  /** Pixels that stay free below it. */
  below?: number
}

/**
 * A table of any length, of which only the rows in sight exist. Screen readers hear the number of
 * all rows, and which one they are at.
 */
export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const { caption, keys, rowAt, scroller, range, card, selection, onOpen } = props
  const columns = card ? oneColumn(caption) : props.columns
  const height = card ? cardHeight : rowHeight
  const isSelectable = selection !== undefined
  const layout = useMemo(() => layoutOf(columns, isSelectable), [columns, isSelectable])
  const keyAt = useCallback((index: number) => keys[index] as RowKey, [keys])
  const open = (index: number) => {
    const row = rowAt(index)
    if (row !== undefined) onOpen?.(row)
  }
  const focus = useRowFocus({
    scroller,
    count: keys.length,
    rowHeight: height,
    keyAt,
    selection,
    onOpen: onOpen && open,
  })
  const { copied, onCopyClick } = useCopy()
  useFillHeight(scroller, aroundRows + keys.length * height, props.below ?? 0)
  const style = {
    '--columns': layout.template,
    '--least-width': layout.minimum,
    '--row-height': `${height}px`,
    height: headHeight + keys.length * height,
  } as CSSProperties
  return (
    <div ref={scroller} className={`${classes.scroller} sideways`}>
      <span role="status" className={copied ? classes.copied : 'visually-hidden'}>
        {copied && `Copied ${copied}`}
      </span>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: the layout by CSS takes the native roles away */}
      <table
        role="table"
        aria-rowcount={keys.length + 1}
        className={classes.table}
        style={style}
        onKeyDown={focus.onKeyDown}
        onClick={(event) => {
          focus.onClick(event)
          onCopyClick(event)
        }}
      >
        <caption className="visually-hidden">{caption}</caption>
        <TableHead
          columns={columns as readonly TableColumn<T>[]}
          sort={props.sort}
          onSort={card ? undefined : props.onSort}
          choice={
            selection && {
              count: selection.size,
              total: keys.length,
              onChange: (isChosen) => (isChosen ? selection.set(keys, true) : selection.clear()),
            }
          }
        />
        <TableBlocks {...props} active={focus.active} height={height} />
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: as above */}
      {range.last - range.first < keys.length && (
        <p className={classes.printed}>
          {`Rows ${range.first + 1} to ${range.last} of ${keys.length}. The export has all of them.`}
        </p>
      )}
    </div>
  )
}

function oneColumn(title: string): readonly TableColumn<never>[] {
  return [{ id: 'card', title, width: 200, grows: 1, cell: () => null }]
}
