import { Pagination, Stack, Text } from '@mantine/core'
import { useApi } from '../../../api/hooks.ts'
import { EmptyState, ErrorNotice } from '../../../ui/notices.tsx'
import { countOf } from '../../../ui/numbers.ts'
import { LoadingLines } from '../../../ui/page.tsx'
import { useDeviceSearch } from '../device-search.ts'
import type { DeviceRecord } from '../use-device.ts'
import { UplinkTable } from './uplink-table.tsx'

const perPage = 25

/** The uplinks of the device, the newest first. New ones appear by themselves on the first page. */
export default function UplinksTab({ device }: { device: DeviceRecord }) {
  const { search, change } = useDeviceSearch()
  const page = search.page ?? 1
  const { data, error, refetch } = useApi(
    'GET /devices/{device_id}/uplink',
    { path: { device_id: device.device_id }, query: { page, itemsPerPage: perPage } },
    { keepsPrevious: true, refetchInterval: page === 1 ? 3000 : false },
  )
  if (error && !data) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <LoadingLines />
  const { total, last_page: pages } = data.meta
  if (total === 0) {
    return (
      <EmptyState title="No uplink yet">
        It appears here by itself. Most sensors send when they are triggered, and once a day.
      </EmptyState>
    )
  }
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {countOf(total, 'uplink')}
      </Text>
      <UplinkTable
        uplinks={data.data}
        open={search.uplink}
        onOpen={(uplink) => change({ uplink }, { replace: true })}
      />
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={page}
          onChange={(next) => change({ page: next === 1 ? undefined : next, uplink: undefined })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </Stack>
  )
}
