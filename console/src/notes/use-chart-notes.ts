import { useMemo } from 'react'
import { useApi } from '../api/hooks.ts'
import type { ChartNote, TimeRange } from '../charts/chart-data.ts'

/** What charts of a device show besides its values. */
export function useChartNotes(device: string, { from, to }: TimeRange): readonly ChartNote[] {
  const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const { data } = useApi(
    'GET /notes',
    { query: { device, ...times, limit: 50 } },
    { keepsPrevious: true, staleTime: 60_000 },
  )
  return useMemo(
    () => (data?.data ?? []).map(({ at, text }) => ({ time: Date.parse(at), text })),
    [data],
  )
}
