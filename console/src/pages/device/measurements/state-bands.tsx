import { useApi } from '../../../api/hooks.ts'
import type { TimeRange } from '../../../charts/chart-data.ts'
import { StateBand } from '../../../charts/state-band.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { useNow } from '../../../ui/time.tsx'

interface StateBandsProps {
  eui: string
  range: TimeRange
}

/** The states of the device in the range; nothing where it has none. */
export function StateBands({ eui, range }: StateBandsProps) {
  const { data, error, refetch } = useDeviceStates(eui, range)
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  return data?.data.map((state) => (
    <Card key={state.name}>
      <StateBand state={state} range={range} />
    </Card>
  ))
}

export function useDeviceStates(eui: string, { from, to }: TimeRange) {
  return useApi(
    'GET /devices/{device_id}/states',
    {
      path: { device_id: eui },
      query: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    },
    { keepsPrevious: true, staleTime: 30_000 },
  )
}

const minute = 60_000

/** It goes on every minute. */
export function useLastDay(): TimeRange {
  const to = Math.ceil(useNow() / minute) * minute
  return { from: to - 24 * 60 * minute, to }
}
