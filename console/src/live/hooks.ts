import { useEffect, useRef, useSyncExternalStore } from 'react'
import { hasTag } from '../../../server/src/lora/tag-filter.ts'
import { queryClient } from '../api/hooks.ts'
import type { ChangeKind, LiveChange, LiveState, LiveUplink } from './events.ts'
import { currentState, onChanges, onReset, onUplinks, startLive, subscribeState } from './live.ts'
import { createRefresher } from './refresh.ts'

/** What an uplink has to be; what is undefined may be anything. */
export interface UplinkFilter {
  /** The id or the DevEUI of a device. */
  device?: string | number | undefined
  /** The ids of devices, such as those of a group. */
  devices?: ReadonlySet<number> | undefined
  type?: number | undefined
  network?: string | undefined
  /** Tags of the device, all of which must be there. */
  tags?: readonly string[] | undefined
  event_type?: string | undefined
  /** Part of the name, the DevEUI or the text, in any case. */
  search?: string | undefined
}

/** Connects to the stream of the organization. The frame of all pages calls it once. */
export function useLiveConnection(userId: number, organizationId: number): LiveState {
  useEffect(() => {
    const refresher = createRefresher(queryClient)
    const ends = [
      startLive(userId, organizationId),
      onChanges(refresher.noteChanges),
      onUplinks(refresher.noteUplinks),
      onReset(refresher.noteAll),
    ]
    return () => {
      for (const end of ends) end()
      refresher.end()
    }
  }, [userId, organizationId])
  return useLiveState()
}

/** Whether events come at this moment. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(subscribeState, currentState)
}

/**
 * Calls the handler with new uplinks that match, in the order of their arrival: each once, also
 * those that came while the connection was lost. `onGap` is called when too many were missed.
 */
export function useUplinks(
  filter: UplinkFilter,
  handler: (uplinks: readonly LiveUplink[]) => void,
  onGap?: () => void,
): void {
  const latest = useRef({ filter, handler, onGap })
  latest.current = { filter, handler, onGap }
  useEffect(() => {
    const ends = [
      onUplinks((uplinks) => {
        const { filter: now, handler: handle } = latest.current
        const matching = uplinks.filter((uplink) => matches(uplink, now))
        if (matching.length > 0) handle(matching)
      }),
      onReset(() => latest.current.onGap?.()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [])
}

/**
 * Calls the handler with changes of these kinds. The queries of the API that show them are renewed
 * without it (`refresh.ts`).
 */
export function useChanges(
  kinds: readonly ChangeKind[],
  handler: (changes: readonly LiveChange[]) => void,
): void {
  const latest = useRef({ kinds, handler })
  latest.current = { kinds, handler }
  useEffect(
    () =>
      onChanges((changes) => {
        const { kinds: wanted, handler: handle } = latest.current
        const matching = changes.filter(({ kind }) => wanted.includes(kind))
        if (matching.length > 0) handle(matching)
      }),
    [],
  )
}

export function matches(uplink: LiveUplink, filter: UplinkFilter): boolean {
  const { device, devices, type, network, tags, event_type, search } = filter
  if (device !== undefined && !isNamed(uplink, String(device))) return false
  if (devices && !devices.has(uplink.did)) return false
  if (type !== undefined && uplink.device_type_id !== type) return false
  if (network !== undefined && uplink.network !== network) return false
  if (tags?.some((tag) => !hasTag(uplink.tags, tag))) return false
  if (event_type !== undefined && uplink.event_type !== event_type) return false
  if (!search) return true
  const part = search.trim().toLowerCase()
  const texts = [uplink.device_name, uplink.device_id, uplink.text]
  return texts.some((text) => text.toLowerCase().includes(part))
}

/** 16 digits are an EUI, never an id. */
function isNamed(uplink: LiveUplink, device: string): boolean {
  if (device.length === 16) return uplink.device_id.toUpperCase() === device.toUpperCase()
  return String(uplink.did) === device
}
