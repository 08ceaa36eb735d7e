import * as typeQueries from '../device-types/device-type-queries.ts'
import { archivedType } from './archive-format.ts'
import { readRecords } from './read-archive.ts'
import type { Ids, Restored, Restoring } from './restoring.ts'

const pageSize = 20

/** Makes the types that are missing. One with the same name and codec is the same. */
export async function restoreTypes(
  restoring: Restoring,
): Promise<{ ids: Ids; restored: Restored }> {
  const { db, organizationId, now, isDryRun } = restoring
  const ids: Ids = new Map()
  const restored = { added: 0, known: 0 }
  const stored = await typeQueries.listAll(db, organizationId)
  for await (const page of readRecords(restoring, 'device_types', archivedType, pageSize)) {
    for (const { id, ...values } of page) {
      const alike = stored.filter(({ type_name }) => type_name === values.type_name)
      const codecs = await Promise.all(
        alike.map((type) => typeQueries.find(db, organizationId, type.id)),
      )
      const found = codecs.find(
        (type) => type?.codec === values.codec && type.payload_format === values.payload_format,
      )
      restored[found ? 'known' : 'added'] += 1
      if (found) ids.set(id, found.id)
      else if (isDryRun) ids.set(id, -id)
      else {
        const examples = values.examples as typeQueries.TypeValues['examples']
        const made = await typeQueries.insert(db, organizationId, { ...values, examples }, now)
        ids.set(id, made.id)
      }
    }
  }
  return { ids, restored }
}
