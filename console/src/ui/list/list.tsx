import { type ReactNode, useMemo } from 'react'
import { ErrorNotice } from '../notices.tsx'
import { LoadingLines } from '../page.tsx'
import { ListTable, type TableProps } from './list-table.tsx'
import { Pages } from './pages.tsx'
import type { RowKey } from './use-selection.ts'

export type { Column } from './columns.ts'

/** What `useApi` says of a list. */
interface ListAnswer<T> {
  data: { data: readonly T[]; after?: string | number | null | undefined } | undefined
  error: unknown
  refetch: () => unknown
}

interface ListProps<T> extends Omit<TableProps<T>, 'source'> {
  /** The list as the API answers it, page by page: `after` of the address is the page. */
  answer?: ListAnswer<T>
  /** The rows, where they are no whole answer. */
  rows?: readonly T[] | undefined
  keyOf: (row: T) => RowKey
  /** What stands in place of no rows. */
  empty?: ReactNode
  /** The number of pages, where `page` of the address is the page. */
  pageCount?: number | undefined
}

/** A list in any state: read, refused, empty, or its rows and the way to further ones. */
export function List<T>({ answer, keyOf, empty, pageCount, ...table }: ListProps<T>) {
  const rows = table.rows ?? answer?.data?.data
  const source = useMemo(
    () => ({ keys: (rows ?? []).map(keyOf), at: (index: number) => rows?.[index] }),
    [rows, keyOf],
  )
  const error = answer?.error
  return (
    <>
      {error && <ErrorNotice error={error} retry={() => void answer?.refetch()} />}
      {rows === undefined && !error && <LoadingLines count={8} />}
      {rows?.length === 0 && empty}
      {rows && rows.length > 0 && <ListTable {...table} source={source} />}
      {answer && <Pages next={answer.data?.after} count={pageCount} />}
    </>
  )
}
