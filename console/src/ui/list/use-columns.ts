import { useMemo } from 'react'
import { t } from '../../languages/text.ts'
import { useAddress } from '../../router/use-address.ts'
import { usePreference } from '../../session/preference.ts'

/** A column that can be chosen. */
interface Choosable {
  id: string
  title: string
}

/** The columns of a list that its reader has chosen. */
export interface ColumnChoice<C extends Choosable> {
  /** The list, in the names of what the user prefers: `device`. */
  list: string
  all: readonly C[]
  /** What is shown where nothing is chosen. */
  usual: readonly string[]
  shown: readonly string[]
  columns: readonly C[]
  choose: (ids: readonly string[]) => void
}

/** The columns that the user chose, in every browser of theirs, or those that the address names. */
export function useColumns<C extends Choosable>(
  list: string,
  all: readonly C[],
  usual: readonly string[],
): ColumnChoice<C> {
  const { search, change } = useAddress()
  const named = search.columns?.toString()
  // What this browser showed last, until the user's choice has been read.
  const storageKey = `${list}.columns`
  const { value, save } = usePreference(`${list}_columns`, t('The columns were not saved'))
  const columns = useMemo(() => {
    const last = (localStorage.getItem(storageKey) ?? '').split(',')
    const choices = [named?.split(','), value, last, usual].map((ids) => known(all, ids))
    return choices.find((found) => found.length > 0) ?? all
  }, [all, usual, named, value, storageKey])
  return {
    ...{ list, all, usual, columns },
    shown: columns.map(({ id }) => id),
    choose: (ids) => {
      localStorage.setItem(storageKey, ids.join(','))
      save(ids)
      if (named) change({ columns: undefined })
    },
  }
}

/** Columns of a former version, or mistyped ones, are left out. */
function known<C extends Choosable>(all: readonly C[], ids: unknown): readonly C[] {
  if (!Array.isArray(ids)) return []
  return [...new Set(ids)].flatMap((id) => all.find((column) => column.id === id) ?? [])
}
