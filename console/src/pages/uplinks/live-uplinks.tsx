import { Button, Group, Text } from '@mantine/core'
import { IconArrowUp, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { type FocusEvent, useRef, useState } from 'react'
import { t } from '../../languages/text.ts'
import { LinkButton } from '../../ui/link.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
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
          {isPaused ? t('Continue') : t('Pause')}
        </Button>
        {list.waiting > 0 ? (
          <Button
            size="xs"
            variant="light"
            onClick={goOn}
            leftSection={<IconArrowUp size={14} aria-hidden />}
          >
            {t('{waiting} new', {
              waiting:
                list.waiting >= mostKept ? t('{mostKept} or more', { mostKept }) : list.waiting,
            })}
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            {list.uplinks.length >= mostKept
              ? t('The latest {mostKept}; the history has the others', { mostKept })
              : t('{count, plural, one {# uplink} other {# uplinks}}', {
                  count: list.uplinks.length,
                })}
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
            caption={t('The latest uplinks, newest first')}
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
      <EmptyState title={t('No matching uplinks yet')}>
        {t('The next uplink that fits the filters appears here. The history looks further back.')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={t('Waiting for the first uplink')}
      actions={
        <LinkButton to="/networks" variant="default">
          {t('View networks')}
        </LinkButton>
      }
    >
      {t(
        'Uplinks appear here as they arrive. If a device has sent and nothing comes, its network may not know yet where to send: see the page of the network.',
      )}
    </EmptyState>
  )
}
