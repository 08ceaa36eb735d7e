import { call } from '../api/client.ts'
import type { Schemas } from '../api/generated.ts'
import { queryClient } from '../api/hooks.ts'

export type Note = Schemas['Note']

/** What notes are about: its kind, and how paths name it. */
export interface NoteSubject {
  kind: 'device' | 'gateway' | 'group'
  id: string
}

export const permissionFor = {
  device: 'manage_devices',
  gateway: 'manage_gateways',
  group: 'manage_groups',
} as const

/** The thing that a note is about. */
export function subjectOf({ device, gateway, group }: Note): NoteSubject & { name: string } {
  if (device) return { kind: 'device', id: device.device_id, name: device.device_name }
  if (gateway) return { kind: 'gateway', id: String(gateway.id), name: gateway.gateway_name }
  return { kind: 'group', id: String(group?.id), name: group?.name ?? '' }
}

interface Content {
  text: string
  at?: string
}

interface NoteRequests {
  add: (of: string, body: Content) => Promise<unknown>
  change: (of: string, note_id: string, body: Content) => Promise<unknown>
  delete: (of: string, note_id: string) => Promise<unknown>
}

const requests: Record<NoteSubject['kind'], NoteRequests> = {
  device: {
    add: (device_id, body) =>
      call('POST /devices/{device_id}/notes', { path: { device_id }, body }),
    change: (device_id, note_id, body) =>
      call('PATCH /devices/{device_id}/notes/{note_id}', { path: { device_id, note_id }, body }),
    delete: (device_id, note_id) =>
      call('DELETE /devices/{device_id}/notes/{note_id}', { path: { device_id, note_id } }),
  },
  gateway: {
    add: (gateway_id, body) =>
      call('POST /gateways/{gateway_id}/notes', { path: { gateway_id }, body }),
    change: (gateway_id, note_id, body) =>
      call('PATCH /gateways/{gateway_id}/notes/{note_id}', { path: { gateway_id, note_id }, body }),
    delete: (gateway_id, note_id) =>
      call('DELETE /gateways/{gateway_id}/notes/{note_id}', { path: { gateway_id, note_id } }),
  },
  group: {
    add: (group_id, body) =>
      call('POST /fleet/groups/{group_id}/notes', { path: { group_id }, body }),
    change: (group_id, note_id, body) =>
      call('PATCH /fleet/groups/{group_id}/notes/{note_id}', { path: { group_id, note_id }, body }),
    delete: (group_id, note_id) =>
      call('DELETE /fleet/groups/{group_id}/notes/{note_id}', { path: { group_id, note_id } }),
  },
}

export async function addNote({ kind, id }: NoteSubject, body: Content): Promise<void> {
  await requests[kind].add(id, body)
  await refresh()
}

export async function changeNote(note: Note, body: Content): Promise<void> {
  const { kind, id } = subjectOf(note)
  await requests[kind].change(id, String(note.id), body)
  await refresh()
}

export async function deleteNote(note: Note): Promise<void> {
  const { kind, id } = subjectOf(note)
  await requests[kind].delete(id, String(note.id))
  await refresh()
}

async function refresh(): Promise<void> {
  for (const name of ['GET /notes', 'POST /dashboards/data']) {
    await queryClient.invalidateQueries({ queryKey: [name] })
  }
}
