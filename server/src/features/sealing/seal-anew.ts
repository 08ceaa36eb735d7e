import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../db/connect.ts'
import { createSealer, keyIdOf, SealError, type Sealer } from '../../db/seal.ts'
import { contextIn, type SealedColumn, sealedColumns } from '../../db/sealed-columns.ts'
import {
  countPages,
  countSecretsOfOthers,
  lockSecrets,
  removeOtherProofs,
  replaceSecrets,
} from './seal-queries.ts'

/** Pages of a table in one transaction: some thousand rows, and some 10 ms of work. */
const pagesAtOnce = 64
/** Between two looks for rows that the service held (ms), and how many there are at the most. */
const pause = 500
const mostRounds = 120

export interface SealOutcome {
  /** How many were sealed anew now. */
  sealed: number
  /** The rows that none of the keys opens, as far as the first of them are named. */
  unopened: string[]
  /** Whether only the first key is needed from now on. */
  isDone: boolean
}

/**
 * Seals every secret that another key sealed with the first of `keys`. It may be stopped at any
 * time and run again, and what runs beside it knows both keys. When nothing is left that another
 * key opens, the proofs of the others are removed, so that starts without them are let in.
 */
export async function sealAnew(
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
  // Rows that are written meanwhile come to stand behind these pages, or are sealed anew already.
  const pages = await countPages(db, column)
  let [sealed, toldAt] = [0, performance.now()]
  for (let from = 0; from < pages; from += pagesAtOnce) {
    sealed += await sealPages(db, column, { ...work, from, to: from + pagesAtOnce })
    if (performance.now() - toldAt < 1000) continue
    toldAt = performance.now()
    work.tell(`${name}: ${sealed} sealed anew, ${Math.floor((100 * from) / pages)} % looked at`)
  }
  if (sealed > 0) work.tell(`${name}: ${sealed} sealed anew`)
  return sealed
}

async function sealPages(
  db: Database,
  column: SealedColumn,
  { keyId, sealer, unopened, from, to }: Work & { from: number; to: number },
): Promise<number> {
  return db.transaction(async (tx) => {
    const secrets = await lockSecrets(tx, column, { keyId, from, to })
    const anew = secrets.flatMap(({ place, sealed, keys }) => {
      const context = contextIn(column, keys)
      const plain = openIfPossible(sealer, sealed, context)
      if (plain !== undefined) return [{ place, sealed: sealer.seal(plain, context) }]
      unopened.push(context)
      return []
    })
    if (anew.length > 0) await replaceSecrets(tx, column, anew)
    return anew.length
  })
}

/** Undefined for a value that is damaged, or whose key is gone: it is lost already. */
function openIfPossible(sealer: Sealer, sealed: Buffer, context: string): string | undefined {
  try {
    return sealer.open(sealed, context)
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}
