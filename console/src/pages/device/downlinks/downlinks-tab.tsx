import { Button, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { DownlinkCard } from '../../../downlinks/downlink-card.tsx'
import type { Downlink } from '../../../downlinks/downlink-state.tsx'
import classes from '../../../downlinks/downlinks.module.css'
import { t } from '../../../languages/text.ts'
import { useUplinks } from '../../../live/hooks.ts'
import { EmptyState, ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'

const firstPart = 50
const mostShown = 200

/** Milliseconds between two looks: a message that is on its way changes soon. */
const soon = 3000
const seldom = 30_000

/** The messages to a device. Its header has the forms that send another one. */
export default function DownlinksTab({ eui }: { eui: string }) {
  const [limit, setLimit] = useState(firstPart)
  const [interval, setInterval] = useState(soon)
  const list = useApi(
    'GET /devices/{device_id}/downlinks',
    { path: { device_id: eui }, query: { limit } },
    { keepsPrevious: true, refetchInterval: interval },
  )
  // Uplinks move messages on: they go out after an uplink, and an uplink answers them.
  useUplinks({ device: eui }, () => void list.refetch())
  const downlinks = list.data?.data
  const wanted = downlinks?.some(isOnItsWay) ? soon : seldom
  if (wanted !== interval) setInterval(wanted)
  return (
    <Stack>
      <Text c="dimmed" size="sm" role="status">
        {summaryOf(downlinks)}
      </Text>
      {list.error && <ErrorNotice error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <LoadingLines />}
      {downlinks && <DownlinkGroups downlinks={downlinks} />}
      {list.data?.after && limit < mostShown && (
        <Button variant="default" onClick={() => setLimit(mostShown)}>
          {t('Show older messages')}
        </Button>
      )}
    </Stack>
  )
}

function isOnItsWay({ state }: Downlink): boolean {
  return state === 'queued' || state === 'handed_over' || state === 'sent'
}

function summaryOf(downlinks: readonly Downlink[] | undefined): string {
  const waiting = downlinks?.filter(({ place }) => place !== null).length ?? 0
  return waiting === 0
    ? t('Queue is empty.')
    : t('{waiting, plural, one {# message} other {# messages}} waiting.', { waiting })
}

function DownlinkGroups({ downlinks }: { downlinks: readonly Downlink[] }) {
  if (downlinks.length === 0) {
    return (
      <EmptyState title={t('No downlinks yet')}>
        {t(
          'Configure the device to change what it reports and how often. Each message appears here with every step of its delivery.',
        )}
      </EmptyState>
    )
  }
  // The next to go is first.
  const waiting = downlinks.filter(({ place }) => place !== null).reverse()
  const others = downlinks.filter(({ place }) => place === null)
  return (
    <>
      <DownlinkGroup title={t('Queue')} downlinks={waiting} />
      <DownlinkGroup title={t('Sent before')} downlinks={others} />
    </>
  )
}

function DownlinkGroup({ title, downlinks }: { title: string; downlinks: readonly Downlink[] }) {
  if (downlinks.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Title order={2} size="h5">
        {title}
      </Title>
      <ol className={classes.steps}>
        {downlinks.map((downlink) => (
          <DownlinkCard key={downlink.id} downlink={downlink} />
        ))}
      </ol>
    </Stack>
  )
}
