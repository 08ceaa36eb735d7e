import { useApi } from '../../../api/hooks.ts'
import { useUplinks } from '../../../live/hooks.ts'
import type { ArrivalFacts } from './arrival-steps.ts'

const lookInterval = 2500

/** What is known of a device that was just registered, and of its first uplink as soon as it is there. */
export function useArrival(eui: string, { enabled = true }: { enabled?: boolean } = {}) {
  const path = { device_id: eui }
  const device = useApi('GET /fleet/devices/{device_id}', { path }, { enabled })
  const arrival = useApi('GET /fleet/devices/{device_id}/arrival', { path }, { enabled })
  // Events report uplinks but not joins, so the page also polls until the first uplink is there.
  const isWaited = enabled && !arrival.data?.data.first_uplink
  const looks = { enabled: isWaited, refetchInterval: lookInterval }
  useApi('GET /fleet/devices/{device_id}', { path }, looks)
  useApi('GET /fleet/devices/{device_id}/arrival', { path }, looks)
  useUplinks({ device: eui }, () => {
    if (isWaited) void arrival.refetch()
  })
  const facts: ArrivalFacts | undefined =
    device.data && arrival.data
      ? { device: device.data.data, arrival: arrival.data.data }
      : undefined
  return {
    facts,
    error: device.error ?? arrival.error,
    isPending: device.isPending || arrival.isPending,
    retry: () => {
      void device.refetch()
      void arrival.refetch()
    },
  }
}
