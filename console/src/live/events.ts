import type { Schemas } from '../api/generated.ts'

export type LiveUplink = Schemas['FleetUplink']

export const changeKinds = [
  'device',
  'gateway',
  'account',
  'job',
  'downlink',
  'alert',
  'dashboard',
] as const
export type ChangeKind = (typeof changeKinds)[number]

/** What changed: the id of a device, gateway, job, alert or dashboard, or the key of a network; null for several. */
export interface LiveChange {
  kind: ChangeKind
  id: string | null
  /** An entry in the history of a downlink; absent when it was handed over to its network. */
  downlink?: LiveDownlink
}

export interface LiveDownlink {
  id: number
  downlink_id: number
  event_name: string
  reason: string | null
  published_at: string
  did: number
  device_id: string
  device_name: string
}

/** An event of the stream as it came. */
export interface RawEvent {
  kind: string
  id: string | undefined
  data: string
}

export type LiveState =
  /** Nothing came yet. */
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** The connection was lost at this time (milliseconds), and is tried again. */
  | { kind: 'lost'; since: number }

export function readUplink(event: RawEvent): LiveUplink | undefined {
  return event.kind === 'uplink' ? (JSON.parse(event.data) as LiveUplink) : undefined
}

export function readChange({ kind: name, data }: RawEvent): LiveChange | undefined {
  const kind = changeKinds.find((known) => known === name)
  if (!kind) return undefined
  if (kind !== 'downlink') {
    const { id } = JSON.parse(data) as { id: string | number | null }
    return { kind, id: id === null ? null : String(id) }
  }
  const entry = JSON.parse(data) as { [K in keyof LiveDownlink]: LiveDownlink[K] | null }
  const id = entry.did === null ? null : String(entry.did)
  return entry.id === null ? { kind, id } : { kind, id, downlink: entry as LiveDownlink }
}
