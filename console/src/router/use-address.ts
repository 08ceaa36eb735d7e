import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type Address = Readonly<Record<string, string | number | undefined>>

/** The query of the address, for parts of a page that do not know which page it is. */
export function useAddress() {
  const search = useSearch({ strict: false }) as Address
  const navigate = useNavigate()
  const change = useCallback(
    (changes: Address, replace = false) =>
      void navigate({
        to: '.',
        search: (now: Address) => ({ ...now, ...changes }),
        replace,
      } as never),
    [navigate],
  )
  return { search, change }
}
