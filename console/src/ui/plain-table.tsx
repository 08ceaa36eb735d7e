import { Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './plain-table.module.css'

export interface Column<T> {
  title: string
  /** What a cell shows. */
  cell: (row: T) => ReactNode
  /** Numbers stand at the right, in figures of one width. */
  isNumber?: boolean
  /** Left out on narrow screens. */
  isExtra?: boolean
  /** Never broken into lines: times and addresses, whose length has a bound. */
  isOneLine?: boolean
  /**
   * In a table with a `title`, phones show each row in two lines: `title` and `side` above, and all
   * other columns below.
   */
  phone?: 'title' | 'side'
  /** The name of the order by this column; undefined if there is none. */
  sort?: string
}

interface Sorting {
  sort: string
  isDown: boolean
  onSort: (sort: string, isDown: boolean) => void
}

interface PlainTableProps<T> {
  /** Read by screen readers. */
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
  sorting?: Sorting
}

/** A table of some dozen rows. Long lists use the virtual table. */
export function PlainTable<T>({ caption, columns, rows, keyOf, sorting }: PlainTableProps<T>) {
  const hasLines = columns.some(({ phone }) => phone === 'title')
  return (
    <Table.ScrollContainer
      minWidth={0}
      className={classes.scroller}
      scrollAreaProps={{ classNames: { viewport: 'sideways' } }}
    >
      <Table verticalSpacing={6} highlightOnHover data-lines={hasLines || undefined}>
        <caption className="visually-hidden">{caption}</caption>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Head key={column.title} column={column} sorting={sorting} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map((column) => (
                <Table.Td key={column.title} {...marks(column)}>
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface HeadProps<T> {
  column: Column<T>
  sorting: Sorting | undefined
}

function Head<T>({ column, sorting }: HeadProps<T>) {
  const { title, sort } = column
  if (sort === undefined || sorting === undefined) {
    return (
      <Table.Th scope="col" {...marks(column)}>
        {title}
      </Table.Th>
    )
  }
  const { isDown, onSort } = sorting
  const isSorted = sorting.sort === sort
  const Icon = isDown ? IconArrowDown : IconArrowUp
  return (
    <Table.Th
      scope="col"
      {...marks(column)}
      data-sort
      {...(isSorted && { 'aria-sort': isDown ? 'descending' : 'ascending' })}
    >
      <UnstyledButton className={classes.sort} onClick={() => onSort(sort, isSorted && !isDown)}>
        {title}
        {isSorted && <Icon size={13} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  )
}

function marks<T>({ isNumber, isExtra, isOneLine, phone }: Column<T>) {
  return {
    'data-number': isNumber || undefined,
    'data-extra': isExtra || undefined,
    'data-one-line': isOneLine || undefined,
    'data-phone': phone,
  }
}
