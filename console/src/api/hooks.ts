import {
  keepPreviousData,
  QueryClient,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type Answer, ApiError, call, type Operation, type RequestParts } from './client.ts'

/** What is known is shown at once, and asked for again behind it when it is older than this. */
const freshMilliseconds = 5000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMilliseconds,
      // A refusal stays a refusal; an answer that did not come may come.
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
    },
  },
})

interface ApiQueryOptions {
  enabled?: boolean
  /** Milliseconds between two requests while the page is open. */
  refetchInterval?: number | false
  /** Shows the answer of the previous parts until the new one is there: for lists. */
  keepsPrevious?: boolean
  staleTime?: number
}

/** The key of an operation's answers, for `invalidate` and optimistic changes. */
export function keyOf<O extends Operation>(operation: O, parts?: RequestParts<O>) {
  return parts === undefined ? [operation] : [operation, parts]
}

function queryOf<O extends Operation>(operation: O, parts: RequestParts<O>) {
  return {
    queryKey: keyOf(operation, parts),
    // A query must not be undefined.
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      (await call(operation, parts, { signal })) ?? (null as unknown as Answer<O>),
  }
}

/** Reads an operation of the API before a component asks for it. */
export function prefetchApi<O extends Operation>(
  operation: O,
  parts: RequestParts<O>,
): Promise<void> {
  return queryClient.prefetchQuery(queryOf(operation, parts))
}

/** Reads an operation of the API, and keeps its answer. */
export function useApi<O extends Operation>(
  operation: O,
  parts: RequestParts<O>,
  { keepsPrevious, ...options }: ApiQueryOptions = {},
): UseQueryResult<Answer<O>, ApiError> {
  return useQuery<Answer<O>, ApiError>({
    ...queryOf(operation, parts),
    ...(keepsPrevious ? { placeholderData: keepPreviousData as never } : {}),
    ...options,
  })
}

/** Reads an operation for each of several parts, such as several devices. */
export function useApiEach<O extends Operation>(
  operation: O,
  all: readonly RequestParts<O>[],
  { keepsPrevious, ...options }: ApiQueryOptions = {},
): UseQueryResult<Answer<O>, ApiError>[] {
  return useQueries({
    queries: all.map((parts) => ({
      ...queryOf(operation, parts),
      ...(keepsPrevious ? { placeholderData: keepPreviousData as never } : {}),
      ...options,
    })),
  }) as UseQueryResult<Answer<O>, ApiError>[]
}

interface ActionOptions<O extends Operation> {
  /** Operations whose answers are old after it. */
  invalidates?: readonly Operation[]
  onSuccess?: (answer: Answer<O>, parts: RequestParts<O>) => void
  onError?: (error: ApiError, parts: RequestParts<O>) => void
}

/** Sends an operation that changes something. */
export function useAction<O extends Operation>(operation: O, options: ActionOptions<O> = {}) {
  const client = useQueryClient()
  return useMutation<Answer<O>, ApiError, RequestParts<O>>({
    mutationFn: (parts) => call(operation, parts),
    onSuccess: (answer, parts) => {
      for (const old of options.invalidates ?? []) {
        void client.invalidateQueries({ queryKey: keyOf(old) })
      }
      options.onSuccess?.(answer, parts)
    },
    ...(options.onError ? { onError: options.onError } : {}),
  })
}
