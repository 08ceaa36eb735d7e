import type { Answer } from '../api/client.ts'
import { keyOf, queryClient, useAction, useApi } from '../api/hooks.ts'
import { tellFailure } from '../ui/notices.tsx'

const operation = 'GET /user/preferences'

/**
 * What the user has chosen, in every browser of theirs; undefined until it is known, and where
 * nothing is chosen. It may come from another version or program. `failure` names what was not saved.
 */
export function usePreference(key: string, failure: string) {
  const preferences = useApi(operation, {}, { staleTime: 60_000 })
  const change = useAction('PATCH /user/preferences', {
    onError: (error) => {
      tellFailure(failure, error)
      void queryClient.invalidateQueries({ queryKey: keyOf(operation) })
    },
  })
  const value: unknown = preferences.data?.data[key]
  return {
    value,
    isKnown: !preferences.isPending,
    save: (next: unknown) => {
      // An answer on its way would show the former choice again.
      void queryClient.cancelQueries({ queryKey: keyOf(operation) }, { revert: false })
      // It shows before the service has answered.
      queryClient.setQueryData<Answer<typeof operation>>(keyOf(operation, {}), (known) => ({
        ...known,
        data: { ...known?.data, [key]: next },
      }))
      change.mutate({ body: { [key]: next } })
    },
  }
}
