import { useMemo } from 'react'
import { usePreference } from '../../session/preference.ts'
import { deviceColumns, usualColumns } from './device-columns.tsx'

/** What this browser showed last, until the user's choice has been read. */
const storageKey = 'devices.columns'

/** The columns that the user chose, or those that the address names. */
export function useColumns(named: string | undefined) {
  const { value, save } = usePreference('device_columns', 'The columns were not saved')
  const shown = useMemo(() => {
    const last = (localStorage.getItem(storageKey) ?? '').split(',')
    const choices = [named?.split(','), value, last, usualColumns]
    return choices.map(known).find((ids) => ids.length > 0) ?? usualColumns
  }, [named, value])
  const columns = useMemo(
    () => shown.map((id) => deviceColumns.find((column) => column.id === id)),
    [shown],
  )
  return {
    shown,
    columns: columns.filter((column) => column !== undefined),
    choose: (ids: readonly string[]) => {
      localStorage.setItem(storageKey, ids.join(','))
      save(ids)
    },
  }
}

/** Columns of a former version, or mistyped ones, are left out. */
function known(ids: unknown): readonly string[] {
  if (!Array.isArray(ids)) return []
  return [...new Set(ids)].filter((id) => deviceColumns.some((column) => column.id === id))
}
