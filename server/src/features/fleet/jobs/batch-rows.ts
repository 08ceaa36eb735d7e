import type { Queryable } from '../../../db/connect.ts'
import { type BatchItem, readItem } from '../devices/batch-items.ts'
import type { BatchEntry } from '../devices/batch-plan.ts'
import { findByEuis } from '../devices/device-write-queries.ts'
import { runBatch } from '../devices/run-batch.ts'
import {
  badCharacter,
  done,
  failed,
  type JobServices,
  type Portion,
  type RowResult,
  type WorkRows,
} from './portion.ts'
import type { WaitingRow } from './row-queries.ts'
import { hasBadCharacter } from './sent-rows.ts'

/** Jobs whose rows are items of POST /batch-device-requests. */

export const renameRows: WorkRows = (tx, services, portion, rows) =>
  workItems(tx, services, { ...portion, dryWords: 'Would be renamed' }, rows, ({ input }) => ({
    action: 'update',
    deviceId: input.device_id,
    deviceName: input.device_name,
  }))

export const deleteRows: WorkRows = (tx, services, portion, rows) =>
  workItems(tx, services, { ...portion, dryWords: 'Would be deleted' }, rows, ({ input }) => ({
    action: 'delete',
    deviceId: input.device_id,
  }))

/** The rows name neither gateways nor types. */
const nothingKnown = { gateways: new Map(), models: new Map() }

async function workItems(
  tx: Queryable,
  services: JobServices,
  portion: Portion & { dryWords: string },
  rows: readonly WaitingRow[],
  toItem: (row: WaitingRow) => Record<string, unknown>,
): Promise<RowResult[]> {
  const { job, sender, now } = portion
  const items = rows.map((row) => readSafely(row, () => readItem(toItem(row), nothingKnown)))
  const ids = await findIds(tx, sender.organizationId, rows)
  const batch = { items, now, isDryRun: job.is_dry_run }
  const entries = await runBatch(tx, services, sender, batch)
  const words = job.is_dry_run ? portion.dryWords : undefined
  return entries.map((entry, index) => toResult(entry, ids.get(rows[index]?.eui ?? ''), words))
}

/** Refuses texts that were stored with another character in place of one that cannot be. */
export function readSafely({ input }: WaitingRow, read: () => BatchItem): BatchItem {
  return hasBadCharacter(input) ? { action: 'none', errors: [badCharacter] } : read()
}

/** The ids of the rows' devices by EUI. */
export async function findIds(
  tx: Queryable,
  organizationId: number,
  rows: readonly WaitingRow[],
): Promise<Map<string, number>> {
  const euis = rows.flatMap(({ eui }) => eui ?? [])
  const devices = await findByEuis(tx, organizationId, euis)
  return new Map(devices.map(({ eui, id }) => [eui, id]))
}

/** `words` are those of a row that is done, if not the entry's. */
export function toResult(
  { status, message, errors = [], warnings = [] }: BatchEntry,
  deviceId: number | undefined,
  words = message,
): RowResult {
  if (status) return done([words, ...warnings].join('. ').replaceAll('..', '.'), deviceId ?? null)
  return failed(errors.length > 0 ? errors.join(' ') : message, deviceId ?? null)
}
