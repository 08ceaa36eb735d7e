import { memo, type ReactNode } from 'react'
import { t } from '../../languages/text.ts'
import { type Column, marksOf } from './columns.ts'
import classes from './list.module.css'

export interface ListRowProps<T> {
  /** Takes the height of the row. */
  measure: ((element: HTMLElement | null) => void) | undefined
  index: number
  /** Pixels of the rows above that do not exist. */
  gap: number
  /** Undefined while it is read. */
  row: T | undefined
  isGone: boolean
  columns: readonly Column<T>[]
  label: string
  /** Undefined if rows cannot be chosen. */
  isChosen: boolean | undefined
  /** Whether the row is the one in the tab order. */
  isActive: boolean
  isFocusable: boolean
  details: ReactNode
}

/**
 * A row. Clicks and keys are handled by the table, so that a row has no functions of its own, and is
 * not rendered again unless it changes.
 */
export const ListRow = memo(function ListRow<T>(props: ListRowProps<T>) {
  const { index, gap, row, isGone, columns, isChosen, isActive, details } = props
  const tabIndex = isActive || !props.isFocusable ? 0 : -1
  const hasOwnFocus = props.isFocusable && isChosen === undefined
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: the layout by CSS takes the native roles away
    <>
      <tr
        ref={props.measure}
        role="row"
        aria-rowindex={props.measure && index + 2}
        data-index={index}
        data-chosen={isChosen || undefined}
        data-loading={(row === undefined && !isGone) || undefined}
        style={gap > 0 ? { marginTop: gap } : undefined}
        {...(hasOwnFocus ? { tabIndex, 'data-focus': true } : {})}
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
                aria-label={t('Select {label}', { label: props.label })}
              />
            </label>
          </td>
        )}
        {row === undefined ? (
          <td role="cell" className={classes.placeholder} aria-colspan={columns.length}>
            {isGone && t('No longer there')}
          </td>
        ) : (
          columns.map((column) => (
            <td key={column.title} role="cell" {...marksOf(column)}>
              {column.cell(row, { tabIndex })}
            </td>
          ))
        )}
      </tr>
      {details && (
        <tr role="row">
          <td role="cell" colSpan={columns.length}>
            {details}
          </td>
        </tr>
      )}
    </>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  )
}) as <T>(props: ListRowProps<T>) => ReactNode

/** The table hears the click itself, which also shows whether Shift is held. */
function ignore() {}
