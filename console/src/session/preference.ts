import { useAction, useApi } from '../api/hooks.ts'
import { tellFailure } from '../ui/notices.tsx'

/**
 * What the user has chosen, in every browser of theirs; undefined until it is known, and where
 * nothing is chosen. It may come from another version or program. `failure` names what was not saved.
 */
export function usePreference(key: string, failure: string) {
  const preferences = useApi('GET /user/preferences', {}, { staleTime: 60_000 })
  const change = useAction('PATCH /user/preferences', {
    invalidates: ['GET /user/preferences'],
    onError: (error) => tellFailure(failure, error),
  })
  const sent = change.isPending ? change.variables?.body[key] : undefined
  const value: unknown = sent ?? preferences.data?.data[key]
  return {
    // What is saved shows before the service has answered.
    value,
    save: (next: unknown) => change.mutate({ body: { [key]: next } }),
  }
}
