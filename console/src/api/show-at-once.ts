import type { Answer, Operation } from './client.ts'
import { keyOf, queryClient } from './hooks.ts'

/** Shows a change before the service has answered. Returns what takes it back. */
export function showAtOnce<O extends Operation>(
  operation: O,
  change: (answer: Answer<O>) => Answer<O>,
): () => void {
  const filter = { queryKey: keyOf(operation) }
  // An answer that is on its way is from before the change.
  void queryClient.cancelQueries(filter)
  const former = queryClient.getQueriesData<Answer<O>>(filter)
  queryClient.setQueriesData<Answer<O>>(filter, (answer) => (answer ? change(answer) : answer))
  return () => {
    for (const [key, answer] of former) queryClient.setQueryData(key, answer)
  }
}
