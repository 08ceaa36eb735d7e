import { createHash } from 'node:crypto'
import { isoTime, type Moment } from '../../../http/timestamps.ts'

/** A place in the chain of an organization: how many records there are up to it, and their hash. */
export interface ChainPlace {
  position: number
  /** 64 hexadecimal digits. */
  hash: string
}

/** Before the first record of every chain. */
export const chainStart: ChainPlace = { position: 0, hash: '0'.repeat(64) }

/** A stored activity with all that its hash covers. */
export interface ChainRow {
  id: number
  position: number
  happened_at: Moment
  user_id: number
  user_email: string | null
  key_id: number | null
  key_name: string | null
  address: string | null
  operation: string | null
  status: number | null
  kind: string
  action: string
  subject: string | null
  name: string | null
  count: number | null
  fields: string[]
}

/** Absent members are left out, so that members of later releases change no hash of today. */
export type AuditRecord = Record<string, unknown> &
  Pick<ChainRow, 'id' | 'user_email' | 'position'> & { previous: string }

/** A record as it is exported. */
export type AuditLine = AuditRecord & { hash: string }

/** The record of a row behind the place `previous`. */
export function toAuditRecord(
  organizationId: number,
  { happened_at, ...row }: ChainRow,
  previous: string,
): AuditRecord {
  const at = isoTime(happened_at)
  return { ...row, at, organization_id: organizationId, previous }
}

/**
 * The canonical form of RFC 8785: members in order of their names, no blanks, UTF-8. Records have
 * texts, whole numbers and lists of texts only, for which it is what `JSON.stringify` writes.
 */
export function canonicalForm(record: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(record)
    .filter((name) => record[name] !== null && record[name] !== undefined)
    .sort()
  return JSON.stringify(record, names)
}

/** SHA-256 of the canonical form, which has the hash of the record before as `previous`. */
export function hashOfRecord(record: AuditRecord): string {
  return createHash('sha256').update(canonicalForm(record)).digest('hex')
}
