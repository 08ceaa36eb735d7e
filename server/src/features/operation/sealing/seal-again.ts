import { setTimeout as wait } from 'node:timers/promises'
import type { Database, Queryable } from '../../../db/connect.ts'
import { formFor } from '../../../db/distribution/form-for.ts'
import { distributedTables } from '../../../db/distribution/tables.ts'
import { createSealer, keyIdOf, SealError, type Sealer } from '../../../db/seal.ts'
import { contextIn, type SealedColumn, sealedColumns } from '../../../db/secret-keys.ts'
import {
  countPages,
  countSecretsOfOthers,
  listOrganizationIds,
  lockSecrets,
  lockSecretsOf,
  type NewSecret,
  removeOtherProofs,
  replaceSecrets,
  replaceSecretsOf,
  type StoredSecret,
} from './seal-queries.ts'

/** Pages of a table per transaction: a few thousand rows, about 10 ms of work. */
const pagesAtOnce = 64
/** Rows per transaction on Citus. */
const rowsAtOnce = 1000
/** Milliseconds between rounds over rows that the service had locked, and the most rounds. */
const pause = 500
const mostRounds = 120

export interface SealOutcome {
  /** Secrets that this run has sealed. */
  sealed: number
  /** The rows that no key opens. */
  unopened: string[]
  /** Whether the other keys are no longer needed. */
  isDone: boolean
}

/**
 * Seals every secret that another key has sealed with the first of `keys`. It can be stopped at any
 * time and run again; a service that runs meanwhile knows all keys. Once no other key is needed,
 * their proofs are removed, so that the service starts without those keys.
 */
export async function sealAgain(
  db: Database,
  keys: readonly [Buffer, ...Buffer[]],
  tell: (line: string) => void,
): Promise<SealOutcome> {
  const keyId = keyIdOf(keys[0])
  const sealer = createSealer(...keys)
  let sealed = 0
  for (let round = 0; ; round += 1) {
    const unopened: string[] = []
    let left = 0
    for (const column of Object.values(sealedColumns)) {
      sealed += await sealColumn(db, column, { keyId, sealer, unopened, tell })
      left += await countSecretsOfOthers(db, column, keyId)
    }
    if (left === unopened.length) {
      await removeOtherProofs(db, keyId)
      return { sealed, unopened, isDone: true }
    }
    if (round === mostRounds) return { sealed, unopened, isDone: false }
    await wait(pause)
  }
}

interface Work {
  keyId: Buffer
  sealer: Sealer
  unopened: string[]
  tell(line: string): void
}

async function sealColumn(db: Database, column: SealedColumn, work: Work): Promise<number> {
  const name = `${column.table}.${column.column}`
  const isTableSpread = distributedTables.includes(column.table)
  const spread = isTableSpread ? sealOrganizations : sealPages
  const seal = await formFor(db, { whole: sealPages, spread })
  let [sealed, toldAt] = [0, performance.now()]
  for await (const portion of seal(db, column, work)) {
    sealed += portion.sealed
    if (performance.now() - toldAt < 1000) continue
    toldAt = performance.now()
    work.tell(`${name}: ${sealed} sealed again, ${Math.floor(100 * portion.done)} % looked at`)
  }
  if (sealed > 0) work.tell(`${name}: ${sealed} sealed again`)
  return sealed
}

/** How many were sealed, and which part of the table is done, from 0 to 1. */
type Portion = { sealed: number; done: number }

async function* sealPages(db: Database, column: SealedColumn, work: Work): AsyncGenerator<Portion> {
  // Rows written meanwhile land behind these pages, or are sealed with the first key already.
  const pages = await countPages(db, column)
  for (let from = 0; from < pages; from += pagesAtOnce) {
    const range = { keyId: work.keyId, from, to: from + pagesAtOnce }
    const { sealed } = await sealSome(db, column, work, {
      lock: (tx) => lockSecrets(tx, column, range),
      replace: (tx, secrets) => replaceSecrets(tx, column, secrets),
    })
    yield { sealed, done: from / pages }
  }
}

async function* sealOrganizations(
  db: Database,
  column: SealedColumn,
  work: Work,
): AsyncGenerator<Portion> {
  const ids = await listOrganizationIds(db)
  for (const [place, id] of ids.entries()) {
    const unopened: Buffer[] = []
    for (let found = 1; found > 0; ) {
      const next = { keyId: work.keyId, unopened, most: rowsAtOnce }
      const portion = await sealSome(db, column, work, {
        lock: (tx) => lockSecretsOf(tx, id, column, next),
        replace: (tx, secrets) => replaceSecretsOf(tx, id, column, secrets),
      })
      unopened.push(...portion.unopened)
      found = portion.found
      yield { sealed: portion.sealed, done: place / ids.length }
    }
  }
}

interface Access {
  lock(tx: Queryable): Promise<StoredSecret[]>
  replace(tx: Queryable, secrets: readonly NewSecret[]): Promise<void>
}

function sealSome(
  db: Database,
  column: SealedColumn,
  { sealer, unopened }: Work,
  { lock, replace }: Access,
): Promise<{ found: number; sealed: number; unopened: Buffer[] }> {
  return db.transaction(async (tx) => {
    const secrets = await lock(tx)
    const lost: Buffer[] = []
    const again = secrets.flatMap(({ place, sealed, keys }) => {
      const context = contextIn(column, keys)
      const plain = openIfPossible(sealer, sealed, context)
      if (plain !== undefined) return [{ place, sealed: sealer.seal(plain, context) }]
      lost.push(sealed)
      unopened.push(context)
      return []
    })
    if (again.length > 0) await replace(tx, again)
    return { found: secrets.length, sealed: again.length, unopened: lost }
  })
}

/** Undefined for a value that is damaged or whose key is gone: it was lost before. */
function openIfPossible(sealer: Sealer, sealed: Buffer, context: string): string | undefined {
  try {
    return sealer.open(sealed, context)
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}
