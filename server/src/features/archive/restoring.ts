import type { Database } from '../../db/connect.ts'
import type { Sealer } from '../../db/seal.ts'

/** An archive that comes back in, and where. */
export interface Restoring {
  db: Database
  directory: string
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
