import { NativeSelect } from '@mantine/core'
import type { TableSort } from '../../ui/virtual-table/columns.ts'
import { deviceColumns } from './device-columns.tsx'

interface SortMenuProps {
  query: TableSort
  onSort: (sort: TableSort) => void
}

/** The order on narrow screens, where there are no titles of columns. */
export function SortMenu({ query, onSort }: SortMenuProps) {
  const choices = deviceColumns.flatMap(({ sort, title }) =>
    sort === undefined
      ? []
      : [
          { value: `${sort} asc`, label: `${title}, ascending` },
          { value: `${sort} desc`, label: `${title}, descending` },
        ],
  )
  return (
    <NativeSelect
      aria-label="Order"
      data={choices}
      value={`${query.sort} ${query.order}`}
      onChange={(event) => {
        const [sort = 'name', order] = event.currentTarget.value.split(' ')
        onSort({ sort, order: order === 'desc' ? 'desc' : 'asc' })
      }}
    />
  )
}
