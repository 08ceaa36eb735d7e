import type { Queryable } from '../../../db/connect.ts'
import { type ArchivedUplink, archivedUplink } from './archive-format.ts'
import {
  countByDevice,
  findUplink,
  insertUplinks,
  lockCounter,
  type UplinkToInsert,
} from './import-queries.ts'
import { readRecords } from './read-archive.ts'
import type { Ids, Restored, Restoring } from './restoring.ts'
import { moveCounters } from './settle-queries.ts'

/** Uplinks of one transaction. */
const pageSize = 1000

/**
 * Stores the uplinks of an archive in their order, with their times, as the first of an organization:
 * lists and totals are in the order of arrival, so the past can only come before everything else. The
 * organization's count says where an earlier run stopped.
 * @throws Error when the organization has uplinks of its own.
 */
export async function restoreUplinks(restoring: Restoring, devices: Ids): Promise<Restored> {
  const { db, manifest, organizationId, isDryRun, signal, tell } = restoring
  const total = manifest.members.uplinks.records
  const restored = { added: 0, known: 0 }
  let seen = 0
  let last: ArchivedUplink | undefined
  for await (const page of readRecords(restoring, 'uplinks', archivedUplink, pageSize)) {
    signal.throwIfAborted()
    const before = { seen, last }
    const added = await db.transaction((tx) =>
      addPage(tx, { organizationId, page, before, devices, isDryRun }),
    )
    restored.added += added
    restored.known += page.length - added
    seen += page.length
    last = page.at(-1)
    tell('uplinks', seen, total)
  }
  if (!isDryRun || total === 0) return restored
  const counter = await lockCounter(db, organizationId)
  if (counter.uplink_count > total) throw hasOwn(organizationId)
  return restored
}

interface Page {
  organizationId: number
  page: readonly ArchivedUplink[]
  /** The uplinks of the pages before, and the last of them. */
  before: { seen: number; last: ArchivedUplink | undefined }
  devices: Ids
  isDryRun: boolean
}

/** Returns how many of the page were stored, or would be. */
async function addPage(
  tx: Queryable,
  { organizationId, page, before, devices, isDryRun }: Page,
): Promise<number> {
  const { uplink_count: count, first_ordinal: first } = await lockCounter(tx, organizationId)
  const { seen } = before
  if (first > 1) throw hasOwn(organizationId)
  if (isDryRun) return Math.min(page.length, Math.max(0, seen + page.length - count))
  if (count >= seen + page.length) return 0
  if (count < seen) throw new Error('Uplinks of the archive were deleted while it was read.')
  const known = count - seen
  const previous = known > 0 ? page[known - 1] : before.last
  if (!(await isSame(tx, organizationId, count, previous))) throw hasOwn(organizationId)
  const news = page.slice(known)
  const ids = news.map(({ device }) => deviceOf(device, devices))
  const counts = await countByDevice(tx, organizationId, [...new Set(ids)])
  const rows = news.map((uplink, index): UplinkToInsert => {
    const deviceId = ids[index] ?? 0
    const deviceOrdinal = (counts.get(deviceId) ?? 0) + 1
    counts.set(deviceId, deviceOrdinal)
    return { uplink, deviceId, ordinal: count + index + 1, deviceOrdinal }
  })
  await insertUplinks(tx, organizationId, rows)
  const uplinks = count + rows.length
  await moveCounters(tx, organizationId, { uplinks, devices: counts })
  return rows.length
}

/** Whether the organization's last uplink is this one of the archive. */
async function isSame(
  tx: Queryable,
  organizationId: number,
  ordinal: number,
  uplink: ArchivedUplink | undefined,
): Promise<boolean> {
  if (ordinal === 0) return true
  const stored = await findUplink(tx, organizationId, ordinal)
  const seconds = uplink ? new Date(uplink.event_time).getTime() / 1000 : 0
  const isAtOnce = Math.abs((stored?.at ?? 0) - seconds) < 0.002
  return stored?.deduplication_key === uplink?.deduplication_key && isAtOnce
}

function deviceOf(id: number, devices: Ids): number {
  const found = devices.get(id)
  if (found !== undefined) return found
  throw new Error(`The archive has uplinks of a device ${id} that it does not have.`)
}

function hasOwn(organizationId: number): Error {
  return new Error(
    `Organization ${organizationId} has uplinks of its own: the past can only come first, into an organization without uplinks.`,
  )
}
