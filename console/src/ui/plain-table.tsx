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
            {columns.map(({ title, isNumber, isExtra }) => (
              <Table.Th key={title} scope="col" {...marks(isNumber, isExtra)}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber, isExtra }) => (
                <Table.Td key={title} {...marks(isNumber, isExtra)}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function marks(isNumber: boolean | undefined, isExtra: boolean | undefined) {
  return { 'data-number': isNumber || undefined, 'data-extra': isExtra || undefined }
}
