import { createHash } from 'node:crypto'
import type { Queryable } from '../../db/connect.ts'
import { DatabaseUnavailable } from '../../db/errors.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { holdUplink } from '../../networks/uplink.ts'
import type { Arrival } from './arrival.ts'
import * as quarantineQueries from './quarantine-queries.ts'
import { findOverfull, type QuarantineReason } from './quarantine-queries.ts'

/** The limits for the quarantines of a tenant together. */
interface QuarantineBounds {
  messages: number
  /** Bytes of the messages and of their stored uplinks. */
  bytes: number
}

export const defaultBounds: QuarantineBounds = { messages: 100_000, bytes: 128 * 1024 * 1024 }

/** The part of a limit that one clean-up frees, so that not every message has to remove another. */
const partRemoved = 0.01

/** How messages are stored; the limits are looked at after it. */
type RunIn<Db> = <T>(db: Db, work: (within: Queryable) => Promise<T>) => Promise<T>

/**
 * Stores messages as they were sent. If they exceed the limit, it removes the oldest at once. The
 * quarantine accepts messages that no other table accepts: texts are made storable, and long
 * messages are cut.
 */
export async function keepInQuarantine<Db extends Queryable>(
  db: Db,
  messages: readonly quarantineQueries.QuarantinedMessage[],
  runIn: RunIn<Db> = (db, work) => work(db),
): Promise<void> {
  if (messages.length === 0) return
  const organizations = [...new Set(messages.map(({ organization_id }) => organization_id))]
  const kept = await runIn(db, (within) =>
    quarantineQueries.afterCounters(within, organizations, (locked) =>
      quarantineQueries.quarantine(locked, messages.map(toStorable)),
    ),
  )
  if (kept === 0) return
  try {
    await boundQuarantines(db, defaultBounds, organizations)
  } catch (error) {
    // It also counts other organizations of the tenant, whose machine may be away (docs/scaling.md). The
    // messages are stored; what is too much goes with the next one, or within the hour.
    if (!(error instanceof DatabaseUnavailable)) throw error
  }
}

/**
 * Removes messages above the limits, oldest first, in the tenants of these organizations or in all.
 */
export async function boundQuarantines(
  db: Queryable,
  most: QuarantineBounds,
  organizationIds?: readonly number[],
): Promise<void> {
  let removed = 0
  do {
    removed = 0
    for (const excess of await findOverfull(db, most, organizationIds)) {
      removed += await quarantineQueries.removeOldest(db, {
        ...excess,
        messages: Math.floor(excess.messages + most.messages * partRemoved),
        bytes: Math.floor(excess.bytes + most.bytes * partRemoved),
      })
    }
  } while (removed > 0)
}

function toStorable(
  message: quarantineQueries.QuarantinedMessage,
): quarantineQueries.QuarantinedMessage {
  return {
    ...message,
    detail: cleanText(message.detail),
    device_eui: storableText(message.device_eui),
    deduplication_key: storableText(message.deduplication_key),
    message: excerptOf(message.message),
  }
}

/** In bytes. An index row holds two such texts, and 2,704 bytes at most (nbtree.h). */
const longestKey = 500

/**
 * Different texts stay different. PostgreSQL has no characters for NUL and for halves of surrogate
 * pairs: they are written as JSON escapes. A long text is replaced by its hash.
 */
function storableText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  if (Buffer.byteLength(escaped) <= longestKey) return escaped
  return createHash('sha256').update(escaped).digest('hex')
}

/**
 * For people only. It leaves out characters that PostgreSQL does not have, and cuts a long text.
 */
function cleanText(text: string): string {
  return text.slice(0, longestKey).toWellFormed().replaceAll('\u0000', '')
}

/** The most bytes of one message, or of one uplink, that the quarantine stores. */
const mostKept = 8 * 1024

/**
 * Returns a text that `readUplink` turns into the same uplink. If the text is too long, it leaves
 * out receptions; the best ones come first and stay. Returns undefined if it is still too long
 * without receptions.
 */
function writeUplink(uplink: Uplink): string | undefined {
  const payload = Buffer.from(uplink.payload).toString('hex')
  for (let most = uplink.receptions.length; ; most = Math.floor(most / 2)) {
    const text = JSON.stringify({
      ...uplink,
      payload,
      receptions: uplink.receptions.slice(0, most),
    })
    if (Buffer.byteLength(text) <= mostKept) return text
    if (most === 0) return undefined
  }
}

/** Returns the beginning of a message, from which a person can see what it was. */
function excerptOf(message: Buffer): Buffer {
  if (message.length <= mostKept) return message
  let end = mostKept
  // Does not cut in the middle of a UTF-8 character: its further bytes begin with the bits 10.
  while (end > mostKept - 4 && ((message[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return message.subarray(0, end)
}

/** Reads only texts of `writeUplink`. They may be old. */
export function readUplink(text: string): Uplink {
  const written = JSON.parse(text)
  return holdUplink({ ...written, payload: Buffer.from(written.payload, 'hex') })
}

/** Quarantines messages that no row can hold, with the reason. */
export function quarantineUnstorable<Db extends Queryable>(
  db: Db,
  arrivals: readonly Arrival[],
  detail: string,
  runIn?: RunIn<Db>,
): Promise<void> {
  return quarantine(db, arrivals, 'not_storable', detail, runIn)
}

/** Quarantines messages for this reason, with the detail that its members read. */
export async function quarantine<Db extends Queryable>(
  db: Db,
  arrivals: readonly Arrival[],
  reason: QuarantineReason,
  detail: string,
  runIn?: RunIn<Db>,
): Promise<void> {
  await keepInQuarantine(
    db,
    arrivals.map(({ account, uplink, message }) => ({
      organization_id: account.organizationId,
      network_account_id: account.id,
      reason,
      detail,
      device_eui: normalizeEui(uplink.devEui),
      deduplication_key: uplink.deduplicationKey,
      message,
      uplink: reason === 'unknown_device' ? writeUplink(uplink) : undefined,
    })),
    runIn,
  )
}
