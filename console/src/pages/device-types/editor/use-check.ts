import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Answer, type ApiError, call } from '../../../api/client.ts'
import { type Draft, toBody, toExample } from './draft.ts'

const operation = 'POST /device-types/try'
type Tried = Answer<typeof operation>['data']

export interface Check {
  isRunning: boolean
  /** What keeps the codec from running. */
  fault: { message: string; line: number | undefined } | undefined
  /** Anything else that is wrong, such as a lost connection. */
  error: ApiError | undefined
  warnings: readonly string[]
  /** By the key of the case. */
  results: ReadonlyMap<string, Tried['example_results'][number]>
}

/** Runs all cases of a draft, a moment after the last change. Nothing is saved. */
export function useCheck(draft: Draft): Check {
  const [settled] = useDebouncedValue(draft, 500)
  const { payload_format, codec, examples } = toBody(settled)
  const body = { payload_format, codec, examples }
  const { data, error, isFetching } = useQuery<Answer<typeof operation>, ApiError>({
    queryKey: [operation, body],
    queryFn: ({ signal }) => call(operation, { body }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const ran = settled.cases.filter((one) => toExample(one) !== undefined)
  const list = error ? [] : (data?.data.example_results ?? [])
  const [message] = error?.errors.codec ?? []
  return {
    isRunning: isFetching || settled !== draft,
    fault: message === undefined ? undefined : { message, line: lineOf(message) },
    error: error && message === undefined ? error : undefined,
    warnings: error ? [] : (data?.data.warnings ?? []),
    results: new Map(ran.flatMap(({ key }, index) => (list[index] ? [[key, list[index]]] : []))),
  }
}

function lineOf(message: string): number | undefined {
  const line = /\(line (\d+)\)/.exec(message)?.[1]
  return line === undefined ? undefined : Number(line)
}
