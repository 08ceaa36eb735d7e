import { Table } from '@mantine/core'
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
}

interface PlainTableProps<T> {
  /** Read by screen readers. */
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
}

/** A table of some dozen rows. Long lists use the virtual table. */
export function PlainTable<T>({ caption, columns, rows, keyOf }: PlainTableProps<T>) {
  return (
    <Table.ScrollContainer minWidth={0} className={classes.scroller}>
      <Table verticalSpacing={6} highlightOnHover>
        <caption className="visually-hidden">{caption}</caption>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.title} scope="col" {...marks(column)}>
                {column.title}
              </Table.Th>
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

function marks<T>({ isNumber, isExtra, isOneLine }: Column<T>) {
  return {
    'data-number': isNumber || undefined,
    'data-extra': isExtra || undefined,
    'data-one-line': isOneLine || undefined,
  }
}
