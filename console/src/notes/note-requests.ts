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

export async function addNote({ kind, id }: NoteSubject, body: Content): Promise<void> {
  if (kind === 'device') {
    await call('POST /devices/{device_id}/notes', { path: { device_id: id }, body })
  } else if (kind === 'gateway') {
    await call('POST /gateways/{gateway_id}/notes', { path: { gateway_id: id }, body })
  } else await call('POST /fleet/groups/{group_id}/notes', { path: { group_id: id }, body })
  await refresh()
}

export async function changeNote(note: Note, body: Content): Promise<void> {
  const { kind, id } = subjectOf(note)
  const note_id = String(note.id)
  if (kind === 'device') {
    const path = { device_id: id, note_id }
    await call('PATCH /devices/{device_id}/notes/{note_id}', { path, body })
  } else if (kind === 'gateway') {
    const path = { gateway_id: id, note_id }
    await call('PATCH /gateways/{gateway_id}/notes/{note_id}', { path, body })
  } else {
    const path = { group_id: id, note_id }
    await call('PATCH /fleet/groups/{group_id}/notes/{note_id}', { path, body })
  }
  await refresh()
}

export async function deleteNote(note: Note): Promise<void> {
  const { kind, id } = subjectOf(note)
  const note_id = String(note.id)
  if (kind === 'device') {
    await call('DELETE /devices/{device_id}/notes/{note_id}', { path: { device_id: id, note_id } })
  } else if (kind === 'gateway') {
    const path = { gateway_id: id, note_id }
    await call('DELETE /gateways/{gateway_id}/notes/{note_id}', { path })
  } else {
    const path = { group_id: id, note_id }
    await call('DELETE /fleet/groups/{group_id}/notes/{note_id}', { path })
  }
  await refresh()
}

async function refresh(): Promise<void> {
  for (const name of ['GET /notes', 'POST /dashboards/data']) {
    await queryClient.invalidateQueries({ queryKey: [name] })
  }
}
