import type { Queryable } from '../../db/connect.ts'
import * as quarantineQueries from './quarantine-queries.ts'

/** What a root organization and its children may have in their quarantines, all together. */
export interface QuarantineBounds {
  messages: number
  /** Of the messages, and of what is kept of them besides. */
  bytes: number
}

export const defaultBounds: QuarantineBounds = { messages: 100_000, bytes: 128 * 1024 * 1024 }

/** Room that is made at a time, so that not every message removes another. */
const partRemoved = 0.01

/** Keeps the messages; where that is too much, the oldest make room at once. */
export async function keepInQuarantine(
  db: Queryable,
  messages: readonly quarantineQueries.QuarantinedMessage[],
): Promise<void> {
  if (messages.length === 0 || (await quarantineQueries.quarantine(db, messages)) === 0) return
  const organizations = new Set(messages.map(({ organization_id }) => organization_id))
  await boundQuarantines(db, defaultBounds, [...organizations])
}

/** Removes what is too much in the trees of these organizations, or of all, the oldest first. */
export async function boundQuarantines(
  db: Queryable,
  most: QuarantineBounds,
  organizationIds?: readonly number[],
): Promise<void> {
  let removed = 0
  do {
    removed = 0
    for (const excess of await quarantineQueries.findOverfull(db, most, organizationIds)) {
      removed += await quarantineQueries.removeOldest(db, {
        ...excess,
        messages: Math.floor(excess.messages + most.messages * partRemoved),
        bytes: Math.floor(excess.bytes + most.bytes * partRemoved),
      })
    }
  } while (removed > 0)
}
