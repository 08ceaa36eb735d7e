import { memo } from 'react'
import type { CellContext, TableColumn } from './columns.ts'
import classes from './virtual-table.module.css'

export interface TableRowProps<T> {
  index: number
  /** Undefined while it is read. */
  row: T | undefined
  isGone: boolean
  columns: readonly TableColumn<T>[]
  /** The whole row in one cell, on narrow screens. */
  card: ((row: T, context: CellContext) => React.ReactNode) | undefined
  label: string
  /** Undefined if rows cannot be chosen. */
  isChosen: boolean | undefined
  /** Whether the row is the one in the tab order. */
  isActive: boolean
}

/**
 * A row of plain elements. Clicks and keys are handled by the table, so that a row has no functions
 * of its own, and is not rendered again unless it changes.
 */
export const TableRow = memo(function TableRow<T>(props: TableRowProps<T>) {
  const { index, isGone, columns, card, label, isChosen, isActive } = props
  const isLoading = props.row === undefined && !isGone
  const row = isGone ? undefined : props.row
  const tabIndex = isActive ? 0 : -1
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: the layout by CSS takes the native roles away
    <tr
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      data-chosen={isChosen || undefined}
      data-loading={isLoading || undefined}
      className={classes.row}
      {...(isChosen === undefined ? { tabIndex, 'data-focus': true } : {})}
    >
      {isChosen !== undefined && (
        <td role="cell" className={classes.boxCell}>
          <label className={classes.box}>
            <input
              type="checkbox"
              data-focus
              tabIndex={tabIndex}
              checked={isChosen}
              onChange={ignore}
              aria-label={`Select ${label}`}
            />
          </label>
        </td>
      )}
      {row === undefined ? (
        <td role="cell" className={classes.placeholder} aria-colspan={columns.length}>
          {isGone && 'No longer there'}
        </td>
      ) : card ? (
        <td role="cell" className={classes.card}>
          {card(row, { tabIndex })}
        </td>
      ) : (
        columns.map(({ id, isNumber, cell }) => (
          <td key={id} role="cell" data-number={isNumber || undefined}>
            {cell(row, { tabIndex })}
          </td>
        ))
      )}
    </tr>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  )
}) as <T>(props: TableRowProps<T>) => React.ReactNode

/** The table hears the click itself, which also shows whether Shift is held. */
function ignore() {}
