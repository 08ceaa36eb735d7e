import { useQuery } from '@tanstack/react-query'
import { useEffect, useReducer, useRef, useState } from 'react'
import { splitTags } from '../../../../server/src/lora/tag-filter.ts'
import { type ApiError, call } from '../../api/client.ts'
import type { LiveUplink } from '../../live/events.ts'
import { useLiveState, useUplinks } from '../../live/hooks.ts'
import type { UplinkFilters } from './uplink-search.ts'

/** Uplinks that are kept; older ones are in the history. */
export const mostKept = 1000
/** Uplinks that are there at the beginning. */
const firstCount = 200

interface LiveList {
  uplinks: readonly LiveUplink[]
  /** Uplinks that came while the list stood still. */
  waiting: number
  isFirst: boolean
  error: ApiError | null
  retry: () => void
}

/**
 * The latest uplinks, newest first. While `isStill`, new ones wait. They are added once per frame,
 * however many come, and no more than a thousand are kept.
 */
export function useLiveList(filters: UplinkFilters, isStill: boolean): LiveList {
  const { kind } = useLiveState()
  const devices = useGroupDevices(filters.group)
  // The stream comes first: what is stored in between is then in one of the two.
  const isReady = kind !== 'connecting' && (filters.group === undefined || devices !== undefined)
  const first = useQuery({
    queryKey: ['latest uplinks', filters],
    queryFn: ({ signal }) =>
      call('GET /fleet/uplinks', { query: { ...filters, limit: firstCount } }, { signal }),
    enabled: isReady,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [shown, setShown] = useState<readonly LiveUplink[]>([])
  const waiting = useRef<LiveUplink[]>([])
  const frame = useRef(0)
  const [, countAgain] = useReducer((count: number) => count + 1, 0)
  const still = useRef(isStill)
  still.current = isStill

  const plan = () => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      if (still.current) return countAgain()
      const added = waiting.current
      waiting.current = []
      if (added.length > 0) setShown((now) => merge(added, now))
    })
  }
  useUplinks(
    {
      ...filters,
      tags: splitTags(filters.tag ?? ''),
      devices: filters.group === undefined ? undefined : (devices ?? noDevices),
    },
    (uplinks) => {
      waiting.current = waiting.current.concat(uplinks).slice(-mostKept)
      plan()
    },
    () => void first.refetch(),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: what waited is added when it goes on
  useEffect(() => {
    if (!isStill) plan()
  }, [isStill])
  const read = first.data?.data
  useEffect(() => {
    if (read) setShown((now) => merge([...read].reverse(), now))
  }, [read])
  useEffect(() => () => cancelAnimationFrame(frame.current), [])
  return {
    uplinks: shown,
    waiting: waiting.current.length,
    isFirst: first.isPending,
    error: first.error as ApiError | null,
    retry: () => void first.refetch(),
  }
}

const noDevices: ReadonlySet<number> = new Set()

/** Puts uplinks, oldest first, to those that are shown, newest first; none stands there twice. */
function merge(added: readonly LiveUplink[], shown: readonly LiveUplink[]): readonly LiveUplink[] {
  const top = shown[0]?.ordinal ?? 0
  if ((added[0]?.ordinal ?? 0) > top) return [...added].reverse().concat(shown).slice(0, mostKept)
  const byOrdinal = new Map([...shown, ...added].map((uplink) => [uplink.ordinal, uplink]))
  return [...byOrdinal.values()]
    .sort((one, other) => other.ordinal - one.ordinal)
    .slice(0, mostKept)
}

/** The ids of the devices in a group and below it; undefined until they are read. */
function useGroupDevices(group: number | undefined): ReadonlySet<number> | undefined {
  const { data } = useQuery({
    queryKey: ['devices of a group', group],
    queryFn: async ({ signal }) => {
      const { data: ids } = await call('GET /fleet/devices/ids', { query: { group } }, { signal })
      return new Set(ids)
    },
    enabled: group !== undefined,
    staleTime: 60_000,
  })
  return data
}
