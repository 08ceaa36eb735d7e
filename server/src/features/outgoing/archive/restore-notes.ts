import * as noteQueries from '../../fleet/notes/note-queries.ts'
import { archivedNote } from './archive-format.ts'
import { readRecords } from './read-archive.ts'
import type { Ids, Restored, Restoring } from './restoring.ts'

const notesAtOnce = 500

/** Brings notes in. One of the same text and time about the same thing is the same. */
export async function restoreNotes(
  restoring: Restoring,
  { devices, gateways, groups }: { devices: Ids; gateways: Ids; groups: Ids },
): Promise<Restored> {
  const { db, organizationId, userId, now, isDryRun } = restoring
  const restored = { added: 0, known: 0 }
  for await (const page of readRecords(restoring, 'notes', archivedNote, notesAtOnce)) {
    for (const { device, gateway, group, at, text } of page) {
      const subject = {
        device_id: newId(device, devices),
        gateway_id: newId(gateway, gateways),
        group_id: newId(group, groups),
      }
      if (Object.values(subject).every((id) => id === null)) continue
      const note = { ...subject, at, text }
      const isKnown = await noteQueries.isThere(db, organizationId, note)
      restored[isKnown ? 'known' : 'added'] += 1
      if (isKnown || isDryRun) continue
      await noteQueries.insert(db, organizationId, { ...note, userId, now })
    }
  }
  return restored
}

function newId(id: number | null, ids: Ids): number | null {
  return id === null ? null : (ids.get(id) ?? null)
}
