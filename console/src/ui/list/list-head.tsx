import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { t } from '../../languages/text.ts'
import { useAddress } from '../../router/use-address.ts'
import { formatCount } from '../numbers.ts'
import { type Column, marksOf } from './columns.ts'
import classes from './list.module.css'
import type { RowKey, Selection } from './use-selection.ts'

interface ListHeadProps<T> {
  columns: readonly Column<T>[]
  /** The order where the address names none; undefined if there is no other one. */
  sorted: string | undefined
  keys: readonly RowKey[]
  selection: Selection | undefined
}

/** The line of titles, and above rows of two lines what sorts them. */
export function ListHead<T>({ columns, sorted, keys, selection }: ListHeadProps<T>) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: the layout by CSS takes the native roles away
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {selection && (
          <th role="columnheader" scope="col" className={classes.boxCell} data-sort>
            <AllBox keys={keys} selection={selection} />
          </th>
        )}
        {columns.map((column) => (
          <Title key={column.title} column={column} sorted={sorted} />
        ))}
      </tr>
    </thead>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  )
}

function AllBox({ keys, selection }: { keys: readonly RowKey[]; selection: Selection }) {
  const total = keys.length
  const isAll = total > 0 && selection.size >= total
  return (
    <label className={classes.box}>
      <input
        type="checkbox"
        checked={isAll}
        disabled={total === 0}
        ref={(input) => {
          if (input) input.indeterminate = selection.size > 0 && !isAll
        }}
        onChange={() => (isAll ? selection.clear() : selection.set(keys, true))}
        aria-label={t('Select all {total}', { total: formatCount(total) })}
      />
    </label>
  )
}

/** The title of a column, which sorts by it where it can. */
function Title<T>({ column, sorted }: { column: Column<T>; sorted: string | undefined }) {
  const { search, change } = useAddress()
  const { title, sort } = column
  const common = { role: 'columnheader', scope: 'col', ...marksOf(column) } as const
  if (sort === undefined || sorted === undefined) return <th {...common}>{title}</th>
  const isCurrent = (search.sort ?? sorted) === sort
  const isDown = isCurrent && search.order === 'desc'
  const Icon = !isCurrent ? IconArrowsSort : isDown ? IconArrowDown : IconArrowUp
  const order = isCurrent && !isDown ? 'desc' : undefined
  return (
    <th
      {...common}
      data-sort
      {...(isCurrent && { 'aria-sort': isDown ? 'descending' : 'ascending' })}
    >
      <button
        type="button"
        className={classes.sort}
        data-current={isCurrent || undefined}
        onClick={() => change({ sort, order, page: undefined })}
      >
        {title}
        <Icon size={14} aria-hidden />
      </button>
    </th>
  )
}
