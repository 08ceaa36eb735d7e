import { Button, Group, Text } from '@mantine/core'
import { IconArrowUp, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { type FocusEvent, useRef, useState } from 'react'
import { LinkButton } from '../../ui/link.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { countOf } from '../../ui/numbers.ts'
import { LoadingLines } from '../../ui/page.tsx'
import type { UplinkColumn } from './uplink-columns.tsx'
import { isFiltered, type UplinkFilters } from './uplink-search.ts'
import { UplinkTable } from './uplink-table.tsx'
import { mostKept, useLiveList } from './use-live-list.ts'

interface LiveUplinksProps {
  filters: UplinkFilters
  columns: readonly UplinkColumn[]
  onOpen: (ordinal: number) => void
}

/**
 * Uplinks as they come. The list stands still while it is paused, scrolled, or has the focus of the
 * keyboard: nothing moves under the reader's hands.
 */
export function LiveUplinks({ filters, columns, onOpen }: LiveUplinksProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [isPaused, setPaused] = useState(false)
  const [isScrolled, setScrolled] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const list = useLiveList(filters, isPaused || isScrolled || hasFocus)
  const goOn = () => {
    scroller.current?.scrollTo({ top: 0 })
    setPaused(false)
    setScrolled(false)
    setFocus(false)
  }
  const onFocus = ({ target }: FocusEvent) => setFocus(target.matches(':focus-visible'))
  return (
    <>
      <Group gap="xs" mih={30}>
        <Button
          size="xs"
          variant="default"
          aria-pressed={isPaused}
          onClick={() => (isPaused ? goOn() : setPaused(true))}
          leftSection={
            isPaused ? (
              <IconPlayerPlay size={14} aria-hidden />
            ) : (
              <IconPlayerPause size={14} aria-hidden />
            )
          }
        >
          {isPaused ? 'Continue' : 'Pause'}
        </Button>
        {list.waiting > 0 ? (
          <Button
            size="xs"
            variant="light"
            onClick={goOn}
            leftSection={<IconArrowUp size={14} aria-hidden />}
          >
            {list.waiting >= mostKept ? `${mostKept} or more` : list.waiting} new
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            {list.uplinks.length >= mostKept
              ? `The latest ${mostKept}; the history has the others`
              : countOf(list.uplinks.length, 'uplink')}
          </Text>
        )}
      </Group>
      {list.error && <ErrorNotice error={list.error} retry={list.retry} />}
      {list.uplinks.length > 0 ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: it hears of what happens in the table
        <div
          onFocus={onFocus}
          onBlur={() => setFocus(false)}
          onScrollCapture={() => setScrolled((scroller.current?.scrollTop ?? 0) > 0)}
        >
          <UplinkTable
            columns={columns}
            caption="The latest uplinks, newest first"
            uplinks={list.uplinks}
            scroller={scroller}
            onOpen={onOpen}
          />
        </div>
      ) : list.isFirst && !list.error ? (
        <LoadingLines count={12} />
      ) : (
        !list.error && <Waiting isFiltered={isFiltered(filters)} />
      )}
    </>
  )
}

function Waiting(props: { isFiltered: boolean }) {
  if (props.isFiltered) {
    return (
      <EmptyState title="No matching uplinks yet">
        The next uplink that fits the filters appears here. The history looks further back.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="Waiting for the first uplink"
      actions={
        <LinkButton to="/networks" variant="default">
          View networks
        </LinkButton>
      }
    >
      Uplinks appear here as they arrive. If a device has sent and nothing comes, its network may
      not know yet where to send: see the page of the network.
    </EmptyState>
  )
}
