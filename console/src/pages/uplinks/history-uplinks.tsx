import { Button, Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { type ApiError, call } from '../../api/client.ts'
import { rich, t } from '../../languages/text.ts'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { LoadingLines } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import type { UplinkColumn } from './uplink-columns.tsx'
import type { UplinkFilters, UplinkRange } from './uplink-search.ts'
import { UplinkTable } from './uplink-table.tsx'

const pageSize = 100
/** Answers without a match after which a person is asked whether to look on. */
const mostEmpty = 10
/** Pixels above the end at which the next page is read. */
const early = 1200

interface HistoryProps {
  filters: UplinkFilters
  columns: readonly UplinkColumn[]
  range: UplinkRange
  onOpen: (ordinal: number) => void
}

/** Stored uplinks, newest first. Scrolling reads on; each answer looks at a bounded part. */
export function HistoryUplinks({
  filters,
  columns,
  range: { since, until },
  onOpen,
}: HistoryProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const query = { ...filters, since, until, limit: pageSize }
  const history = useInfiniteQuery({
    queryKey: ['history of uplinks', query],
    queryFn: ({ signal, pageParam }) =>
      call(
        'GET /fleet/uplinks',
        { query: { ...query, ...(pageParam === '' ? {} : { after: pageParam }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ after }) => after ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data, hasNextPage, isFetching, fetchNextPage } = history
  const pages = data?.pages ?? []
  const uplinks = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data), [data])
  const empties = pages.length - 1 - pages.findLastIndex((page) => page.data.length > 0)
  const readsOn = hasNextPage && !isFetching && !history.error
  // Few matches in much: looks on by itself for a while.
  useEffect(() => {
    if (readsOn && uplinks.length < pageSize && empties < mostEmpty) void fetchNextPage()
  }, [readsOn, uplinks.length, empties, fetchNextPage])
  const onScroll = () => {
    const { current: box } = scroller
    if (!box || !readsOn) return
    if (box.scrollHeight - box.scrollTop - box.clientHeight < early) void fetchNextPage()
  }
  const last = pages.at(-1)
  return (
    <>
      <Group gap="xs" mih={30}>
        <Text size="xs" c="dimmed" role="status" component="div">
          {uplinks.length > 0 && shownOf(uplinks.length, pages[0]?.total ?? null)}
          {last?.scanned_to &&
            rich(', searched back to {time}', { time: <Time value={last.scanned_to} exact /> })}
          {last && !last.after && uplinks.length > 0 && t(', to the beginning')}
        </Text>
        {readsOn && (
          <Button size="xs" variant="default" onClick={() => void fetchNextPage()}>
            {t('Search further back')}
          </Button>
        )}
        {isFetching && pages.length > 0 && (
          <Text size="xs" c="dimmed">
            {t('Looking…')}
          </Text>
        )}
      </Group>
      {history.error && (
        <ErrorNotice error={history.error as ApiError} retry={() => void history.refetch()} />
      )}
      {history.isPending && <LoadingLines count={12} />}
      {uplinks.length > 0 && (
        <div onScrollCapture={onScroll}>
          <UplinkTable
            columns={columns}
            caption={t('Stored uplinks, newest first')}
            uplinks={uplinks}
            scroller={scroller}
            onOpen={onOpen}
          />
        </div>
      )}
      {data && !hasNextPage && uplinks.length === 0 && (
        <EmptyState title={t('No uplinks')}>
          {t('No stored uplink matches. Remove a filter, or choose a longer time.')}
        </EmptyState>
      )}
    </>
  )
}

/** "100 of 4,029 uplinks shown"; the total is not always known. */
function shownOf(count: number, total: number | null): string {
  if (total === null) return t('{count, plural, one {# uplink} other {# uplinks}} shown', { count })
  return t('{count} of {total, plural, one {# uplink} other {# uplinks}} shown', {
    count: formatCount(count),
    total,
  })
}
