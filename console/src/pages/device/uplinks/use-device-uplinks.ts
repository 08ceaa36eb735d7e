import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type ApiError, call } from '../../../api/client.ts'
import type { LiveUplink } from '../../../live/events.ts'
import { useLiveState, useUplinks } from '../../../live/hooks.ts'

const perPage = 50
/** New uplinks beyond these are found again by loading the page. */
const mostFresh = 1000

/**
 * The uplinks of a device, the newest first: those that come now, and before them those that are
 * stored, page by page. While `isPaused`, new ones wait.
 */
export function useDeviceUplinks(eui: string, isPaused: boolean) {
  const { kind } = useLiveState()
  const stored = useInfiniteQuery({
    queryKey: ['uplinks of a device', eui],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /fleet/uplinks',
        { query: { device: eui, limit: perPage, after: pageParam } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ after }) => after ?? undefined,
    // The stream comes first: what is stored in between is then in one of the two.
    enabled: kind !== 'connecting',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [fresh, setFresh] = useState<readonly LiveUplink[]>([])
  const waiting = useRef<LiveUplink[]>([])
  const [waitingCount, setWaitingCount] = useState(0)
  const take = () => {
    const added = waiting.current
    waiting.current = []
    setWaitingCount(0)
    if (added.length > 0) setFresh((known) => [...added.reverse(), ...known].slice(0, mostFresh))
  }
  useUplinks(
    { device: eui },
    (uplinks) => {
      waiting.current = waiting.current.concat(uplinks).slice(-mostFresh)
      if (isPaused) setWaitingCount(waiting.current.length)
      else take()
    },
    () => void stored.refetch(),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: what waited is added when it goes on
  useEffect(() => {
    if (!isPaused) take()
  }, [isPaused])
  const pages = stored.data?.pages
  const uplinks = useMemo(() => {
    const known = pages?.flatMap(({ data }) => data) ?? []
    return [...new Map([...fresh, ...known].map((uplink) => [uplink.ordinal, uplink])).values()]
  }, [fresh, pages])
  return {
    uplinks,
    waitingCount,
    isPending: stored.isPending,
    error: stored.error as ApiError | null,
    retry: () => void stored.refetch(),
    hasOlder: stored.hasNextPage,
    isReadingOlder: stored.isFetchingNextPage,
    readOlder: () => void stored.fetchNextPage(),
  }
}
