import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { switchOrganization } from './session.ts'

/** Changes to another organization, and to its overview: the page before was about the former one. */
export function useSwitchOrganization(): (id: number) => Promise<void> {
  const navigate = useNavigate()
  return useCallback(
    async (id) => {
      switchOrganization(id)
      await navigate({ to: '/', search: { org: id } })
    },
    [navigate],
  )
}
