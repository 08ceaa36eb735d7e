import { useMemo, useState } from 'react'
import { deviceColumns, usualColumns } from './device-columns.tsx'

const storageKey = 'devices.columns'

/** The columns that the reader chose in this browser, or those that the address names. */
export function useColumns(named: string | undefined) {
  const [chosen, setChosen] = useState(readChoice)
  const fromAddress = useMemo(() => (named ? known(named.split(',')) : []), [named])
  const shown = fromAddress.length > 0 ? fromAddress : chosen
  const columns = useMemo(
    () => shown.map((id) => deviceColumns.find((column) => column.id === id)),
    [shown],
  )
  return {
    shown,
    columns: columns.filter((column) => column !== undefined),
    choose: (ids: readonly string[]) => {
      setChosen(ids)
      localStorage.setItem(storageKey, ids.join(','))
    },
  }
}

function readChoice(): readonly string[] {
  const stored = known((localStorage.getItem(storageKey) ?? '').split(','))
  return stored.length > 0 ? stored : usualColumns
}

/** Columns of a former version, or mistyped ones, are left out. */
function known(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)].filter((id) => deviceColumns.some((column) => column.id === id))
}
