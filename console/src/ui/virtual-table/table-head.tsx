import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import type { TableColumn, TableSort } from './columns.ts'
import classes from './virtual-table.module.css'

interface TableHeadProps<T> {
  columns: readonly TableColumn<T>[]
  sort?: TableSort | undefined
  onSort?: ((sort: TableSort) => void) | undefined
  /** The box that chooses all rows; undefined if rows cannot be chosen. */
  choice?: { count: number; total: number; onChange: (isChosen: boolean) => void } | undefined
}

/** The line of titles, which stays in sight. */
export function TableHead<T>({ columns, sort, onSort, choice }: TableHeadProps<T>) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: the layout by CSS takes the native roles away
    <thead role="rowgroup" className={classes.head}>
      <tr role="row" aria-rowindex={1} className={classes.headRow}>
        {choice && (
          <th role="columnheader" scope="col" className={classes.boxCell}>
            <AllBox {...choice} />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.id}
            role="columnheader"
            scope="col"
            aria-sort={ariaSort(column.sort, sort)}
            data-number={column.isNumber || undefined}
          >
            {column.sort && onSort ? (
              <SortButton column={column} sort={sort} onSort={onSort} />
            ) : (
              <span>{column.title}</span>
            )}
          </th>
        ))}
      </tr>
    </thead>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  )
}

function AllBox({ count, total, onChange }: NonNullable<TableHeadProps<never>['choice']>) {
  const isAll = total > 0 && count >= total
  return (
    <label className={classes.box}>
      <input
        type="checkbox"
        checked={isAll}
        disabled={total === 0}
        ref={(input) => {
          if (input) input.indeterminate = count > 0 && !isAll
        }}
        onChange={() => onChange(!isAll)}
        aria-label={`Select all ${total.toLocaleString('en')}`}
      />
    </label>
  )
}

interface SortButtonProps<T> {
  column: TableColumn<T>
  sort: TableSort | undefined
  onSort: (sort: TableSort) => void
}

function SortButton<T>({ column, sort, onSort }: SortButtonProps<T>) {
  const name = column.sort ?? ''
  const isCurrent = sort?.sort === name
  const Icon = !isCurrent ? IconArrowsSort : sort.order === 'asc' ? IconArrowUp : IconArrowDown
  const order = isCurrent && sort.order === 'asc' ? 'desc' : 'asc'
  return (
    <button
      type="button"
      className={classes.sort}
      data-current={isCurrent || undefined}
      onClick={() => onSort({ sort: name, order })}
    >
      {column.title}
      <Icon size={14} aria-hidden />
    </button>
  )
}

function ariaSort(name: string | undefined, sort: TableSort | undefined) {
  if (name === undefined || sort?.sort !== name) return undefined
  return sort.order === 'asc' ? 'ascending' : 'descending'
}
