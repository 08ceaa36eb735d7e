import type { EventStream } from '../../../http/event-stream.ts'
import { hasTag } from '../../../lora/tag-filter.ts'
import type { TagFilter } from '../../fleet/inventory/tags.ts'
import type { Change } from '../events/announce.ts'
import { type EventDevice, type EventKind, type LoggedEvent, writeEvent } from './event-record.ts'
import { type Position, writePosition } from './position.ts'

/** What a reader wants to hear. The filters of devices narrow uplinks and downlinks. */
export interface ReaderFilter {
  kinds: ReadonlySet<EventKind>
  /** Whether it may hear of changes, which name things wherever they are. */
  tellsChanges: boolean
  /** The device, by its id or its EUI. */
  device: { id: number | null; eui: string | null } | undefined
  group: number | undefined
  network: string | undefined
  tag: TagFilter | undefined
  type: number | undefined
}

/** A stream that is open. */
export interface Reader {
  organizationId: number
  filter: ReaderFilter
  stream: EventStream
}

/** The devices of each group that a reader asks for, among the devices of some events. */
export type GroupedDevices = ReadonlyMap<number, ReadonlySet<number>>

/** Sends those of the events that the reader wants, as one piece. */
export function sendEventsTo(
  { organizationId, filter, stream }: Reader,
  events: readonly LoggedEvent[],
  grouped: GroupedDevices,
  position: Position,
): void {
  let text = ''
  for (const event of events) {
    if (!filter.kinds.has(event.kind) || !admits(filter, event.device, grouped)) continue
    const { ordinal = position.ordinal } = event
    const id = writePosition(organizationId, { ...position, ordinal })
    text += writeEvent(event.kind, event.data(), id)
  }
  if (text !== '') stream.send(text)
}

function admits(filter: ReaderFilter, device: EventDevice, grouped: GroupedDevices): boolean {
  const { device: named, group, network, tag, type } = filter
  if (named && !isNamed(named, device)) return false
  if (network !== undefined && device.network !== network) return false
  if (tag?.every((choice) => hasTag(device.tags, choice)) === false) return false
  if (type !== undefined && device.device_type_id !== type) return false
  return group === undefined || (grouped.get(group)?.has(device.device_id) ?? false)
}

function isNamed(named: NonNullable<ReaderFilter['device']>, device: EventDevice): boolean {
  if (named.id !== null) return device.device_id === named.id
  return device.device_eui.toUpperCase() === named.eui
}

/** Whether the reader wants to hear of a change. One without an id may concern any device. */
export function wantsChange(filter: ReaderFilter, { kind, id }: Change): boolean {
  const { kinds, tellsChanges, device } = filter
  if (!tellsChanges || !kinds.has(kind)) return false
  const isOfDevices = kind === 'device' || kind === 'downlink'
  if (!isOfDevices || id === undefined || !device || device.id === null) return true
  return String(device.id) === String(id)
}
