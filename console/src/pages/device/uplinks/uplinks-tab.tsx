import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { Card } from '../../../ui/card.tsx'
import { EmptyState, ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { useDeviceSearch } from '../device-search.ts'
import type { DeviceRecord } from '../use-device.ts'
import { UplinkDetails } from './uplink-details.tsx'
import { UplinkTable } from './uplink-table.tsx'
import { useDeviceUplinks } from './use-device-uplinks.ts'

/** The uplinks of the device, the newest first. New ones appear by themselves. */
export default function UplinksTab({ device }: { device: DeviceRecord }) {
  const { search, change } = useDeviceSearch()
  const [isPaused, setPaused] = useState(false)
  const list = useDeviceUplinks(device.device_id, isPaused)
  const { uplinks, error, isPending } = list
  const open = search.uplink
  const isElsewhere = open !== undefined && !isPending && !uplinks.some(isNamed(open))
  if (isPending && !error) return <LoadingLines />
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <PauseButton isPaused={isPaused} waiting={list.waitingCount} onChange={setPaused} />
        <Text size="sm" c="dimmed">
          {t('{uplinkcount, plural, one {# uplink} other {# uplinks}}', {
            uplinkcount: device.uplink_count,
          })}
        </Text>
      </Group>
      {error && <ErrorNotice error={error} retry={list.retry} />}
      {isElsewhere && <LinkedUplink ordinal={open} />}
      {uplinks.length === 0 && !error && (
        <EmptyState title={t('No uplink yet')}>
          {t(
            'Uplinks appear here as they arrive. Most sensors send when they are triggered, and once a day.',
          )}
        </EmptyState>
      )}
      {uplinks.length > 0 && (
        <UplinkTable
          uplinks={uplinks}
          open={open}
          onOpen={(uplink) => change({ uplink }, { replace: true })}
        />
      )}
      {list.hasOlder && (
        <Group justify="center">
          <Button variant="default" loading={list.isReadingOlder} onClick={list.readOlder}>
            {t('Show older uplinks')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function isNamed(ordinal: number) {
  return (uplink: { ordinal: number }) => uplink.ordinal === ordinal
}

interface PauseButtonProps {
  isPaused: boolean
  waiting: number
  onChange: (isPaused: boolean) => void
}

function PauseButton({ isPaused, waiting, onChange }: PauseButtonProps) {
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause
  const more = waiting > 0 ? t(', {waiting} new', { waiting }) : ''
  return (
    <Button
      size="xs"
      variant="default"
      aria-pressed={isPaused}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={() => onChange(!isPaused)}
    >
      {isPaused ? t('Resume{more}', { more }) : t('Pause')}
    </Button>
  )
}

/** The uplink of a link that is further back than the list has been read. */
function LinkedUplink({ ordinal }: { ordinal: number }) {
  const { data, error } = useApi(
    'GET /fleet/uplinks',
    { query: { after: `o${ordinal + 1}`, limit: 1 } },
    { staleTime: Number.POSITIVE_INFINITY },
  )
  const found = data?.data.find(isNamed(ordinal))
  if (error) return <ErrorNotice error={error} />
  if (!data) return <LoadingLines count={2} />
  return (
    <Card title={found ? t('The linked uplink') : t('This device has no such uplink')}>
      {found && <UplinkDetails uplink={found} />}
    </Card>
  )
}
