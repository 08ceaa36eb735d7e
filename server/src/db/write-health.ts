import type { FastifyBaseLogger } from 'fastify'
import type { Database } from './connect.ts'
import { refusedWrite } from './errors.ts'

/** Whether the database takes what is written. Reading may work while it does not. */
export interface WriteHealth {
  /** Notes an error of any statement. Most say nothing about it. */
  note(error: unknown): void
  /** Why the last write was refused; undefined once one has worked again. */
  fault(): string | undefined
  /** Runs a write that takes no room. After a refusal, a little room has to be there as well. */
  prove(db: Database, write: () => Promise<void>): Promise<void>
}

/** Milliseconds between lines of the log. */
const lineInterval = 60_000

export function createWriteHealth(log: FastifyBaseLogger): WriteHealth {
  let fault: string | undefined
  let refusals = 0
  let toldAt = Number.NEGATIVE_INFINITY
  /** The log knows of the present fault. */
  let isTold = false
  return {
    note(error) {
      const reason = refusedWrite(error)
      if (reason === undefined) return
      refusals += 1
      fault = reason
      if (performance.now() - toldAt < lineInterval) return
      toldAt = performance.now()
      isTold = true
      const err = error instanceof Error ? error.message : undefined
      log.error({ err }, `${reason} Uplinks are refused until it is fixed.`)
    },
    fault: () => fault,
    async prove(db, write) {
      const [before, refused] = [refusals, fault]
      await write()
      if (refused === undefined) return
      // Its failure is noted, and is none of the write.
      await takeRoom(db).catch(() => {})
      if (refusals > before) return
      fault = undefined
      if (isTold) log.info('The database takes writes again.')
      isTold = false
    },
  }
}

/**
 * Writes a megabyte to a temporary file, as functions do with many rows and little memory. A short row
 * often fits into a page that is there already, and a larger one would leave something to clean up.
 */
async function takeRoom(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(`set local work_mem = '64kB'`)
    await tx.query('select count(*) from generate_series(1, 75000)')
  })
}
