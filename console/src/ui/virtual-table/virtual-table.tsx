import { type CSSProperties, type ReactNode, useCallback, useMemo } from 'react'
import { type CellContext, layoutOf, type TableColumn, type TableSort } from './columns.ts'
import { TableHead } from './table-head.tsx'
import { TableRow } from './table-row.tsx'
import { useCopy } from './use-copy.ts'
import { useFillHeight } from './use-fill-height.ts'
import { useRowFocus } from './use-row-focus.ts'
import type { RowWindow } from './use-row-window.ts'
import type { RowKey, Selection } from './use-selection.ts'
import classes from './virtual-table.module.css'

export const rowHeight = 36
export const cardHeight = 64
/** More than a window holds on a large screen. */
const reusedRows = 128
/** With the border, and room for a bar that scrolls sideways. */
const headHeight = 52

interface VirtualTableProps<T> {
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
  const { caption, keys, rowAt, scroller, card, selection, onOpen } = props
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
  useFillHeight(scroller, headHeight + keys.length * height, props.below ?? 0)
  const style = {
    '--columns': layout.template,
    '--least-width': layout.minimum,
    '--row-height': `${height}px`,
  } as CSSProperties
  return (
    <div ref={scroller} className={classes.scroller}>
      <span role="status" className={copied ? classes.copied : 'visually-hidden'}>
        {copied && `Copied ${copied}`}
      </span>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: the layout by CSS takes the native roles away */}
      <table role="table" aria-rowcount={keys.length + 1} className={classes.table} style={style}>
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
        <tbody
          role="rowgroup"
          className={classes.body}
          style={{ height: keys.length * height }}
          onKeyDown={focus.onKeyDown}
          onClick={(event) => {
            focus.onClick(event)
            onCopyClick(event)
          }}
        >
          <Rows {...props} active={focus.active} height={height} />
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: as above */}
    </div>
  )
}

function oneColumn(title: string): readonly TableColumn<never>[] {
  return [{ id: 'card', title, width: 200, grows: 1, cell: () => null }]
}

/**
 * The elements of rows that leave the window are those of rows that enter it: a change of texts
 * costs less than new elements. The active row has its own, and exists even out of sight, or it would
 * lose the focus.
 */
function Rows<T>(props: VirtualTableProps<T> & { active: number; height: number }) {
  const { keys, range, active, height, rowAt, selection } = props
  const last = Math.min(range.last, keys.length)
  const indexes: number[] = []
  for (let index = range.first; index < last; index += 1) indexes.push(index)
  if (active < keys.length && (active < range.first || active >= last)) indexes.push(active)
  return indexes.map((index) => {
    const row = rowAt(index)
    const key = keys[index] as RowKey
    return (
      <TableRow
        key={index === active ? `active ${index}` : index % reusedRows}
        index={index}
        top={index * height}
        row={row}
        isGone={props.isGoneAt?.(index) ?? false}
        columns={props.columns}
        card={props.card}
        label={row === undefined ? `row ${index + 1}` : props.labelOf(row)}
        isChosen={selection?.has(key)}
        isActive={index === active}
      />
    )
  })
}
