import { createHash } from 'node:crypto'
import type { Queryable } from '../../db/connect.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { holdUplink } from '../../networks/uplink.ts'
import * as quarantineQueries from './quarantine-queries.ts'

/** What a root organization and its children may have in their quarantines, all together. */
interface QuarantineBounds {
  messages: number
  /** Of the messages, and of what is kept of them besides. */
  bytes: number
}

export const defaultBounds: QuarantineBounds = { messages: 100_000, bytes: 128 * 1024 * 1024 }

/** Room that is made at a time, so that not every message removes another. */
const partRemoved = 0.01

/**
 * Keeps messages as they were sent; where that is too much, the oldest make room at once. The
 * quarantine takes what nothing else takes: texts are made storable, and long messages are cut.
 */
export async function keepInQuarantine(
  db: Queryable,
  messages: readonly quarantineQueries.QuarantinedMessage[],
): Promise<void> {
  if (messages.length === 0) return
  const kept = await quarantineQueries.quarantine(db, messages.map(toStorable))
  if (kept === 0) return
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

/** Far below what a row of an index holds (2,704 bytes, nbtree.h), three texts to the row. */
const longestKey = 500

/**
 * Different texts stay different. NUL and halves of surrogate pairs, which PostgreSQL has no
 * characters for, come out as JSON writes them; of a long text the hash is left.
 */
function storableText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  if (Buffer.byteLength(escaped) <= longestKey) return escaped
  return createHash('sha256').update(escaped).digest('hex')
}

/** For people alone: what PostgreSQL has no characters for is left out, and the end if it is long. */
function cleanText(text: string): string {
  return text.slice(0, longestKey).toWellFormed().replaceAll('\u0000', '')
}

/** Of a message or an uplink no more than this is kept in the quarantine, in bytes. */
const mostKept = 8 * 1024

/**
 * The text of which `readUplink` makes the same uplink again, but for the receptions that were too
 * many; they come best first. Undefined when it is too long all the same.
 */
export function writeUplink(uplink: Uplink): string | undefined {
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

/** The beginning of a message, by which a person sees what it was. */
function excerptOf(message: Buffer): Buffer {
  if (message.length <= mostKept) return message
  let end = mostKept
  // Not in the middle of a character: bytes that continue one begin with the bits 10.
  while (end > mostKept - 4 && ((message[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return message.subarray(0, end)
}

/** Reads what `writeUplink` wrote, and nothing else; it may have been long ago. */
export function readUplink(text: string): Uplink {
  const written = JSON.parse(text)
  return holdUplink({ ...written, payload: Buffer.from(written.payload, 'hex') })
}
