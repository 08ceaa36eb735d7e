import type { Database } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { largestInteger } from '../../../http/fields.ts'
import { firstCustomTypeId } from '../../../sensors/index.ts'
import { fileOf, type Manifest, type MemberName } from './archive-format.ts'

/** An archive that comes back in, and where. */
export interface Restoring {
  db: Database
  directory: string
  manifest: Manifest
  organizationId: number
  /** Whom the new records belong to. */
  userId: number
  sealer: Sealer
  now: Date
  /** Checks everything, and changes nothing. */
  isDryRun: boolean
  signal: AbortSignal
  tell(what: string, done: number, total: number): void
}

/** Records of a kind: new ones, and those that were there before. */
export interface Restored {
  added: number
  known: number
}

/** New ids by those of the archive. */
export type Ids = Map<number, number>

/** What is not in the archive any more has an id that nothing has. */
const nowhere = largestInteger

export function newIdOf(id: number, ids: Ids): number {
  return ids.get(id) ?? nowhere
}

/** Built-in types keep their ids. */
export function newTypeOf(id: number, types: Ids): number {
  return id < firstCustomTypeId ? id : newIdOf(id, types)
}

/** @throws Error that names what is in a file of the archive twice. */
export function refuseRepeated<T>(
  name: MemberName,
  records: readonly T[],
  keyOf: (record: T) => string,
): void {
  const groups = Map.groupBy(records, keyOf)
  const repeated = [...groups].flatMap(([key, { length }]) => (length > 1 ? [key] : []))
  if (repeated.length === 0) return
  throw new Error(`${fileOf[name]} has these twice: ${shortList(repeated)}.`)
}

/** The first of many names. */
export function shortList(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return names.slice(0, mostNames).join(', ') + more
}

const mostNames = 10
