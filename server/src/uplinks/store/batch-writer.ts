import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/connect.ts'
import { settleWithin } from '../../db/outlast.ts'
import type { Tracer } from '../../traces/tracer.ts'
import type { Waiting } from './arrival.ts'
import {
  type CommitTimes,
  createBatchSpacing,
  createCommitTimes,
  traceBatch,
} from './batch-timing.ts'
import type { Shares } from './ingest-shares.ts'
import { settleBatch } from './settle-batch.ts'

export interface BatchWriter {
  /** Adds an arrival to the line of its tenant. */
  add(waiting: Waiting): void
  /** How long the batches took to be stored. */
  commitTimes(): CommitTimes
}

interface WriterServices {
  db: Database
  tracer: Tracer
  shares: Shares<Waiting>
}

/**
 * If a batch is not stored after this many milliseconds, the writer starts the next batch, of other
 * organizations.
 */
const longestTurn = 200

/**
 * The batch writer. Messages that arrive while one transaction commits, or a few milliseconds after
 * the last one began, go together into the next transaction. One flush of the disk then serves all
 * of them, and a single uplink does not wait.
 *
 * A batch begins when the former one is written and has sent its COMMIT. PostgreSQL holds it up at
 * the lock of the counter until that COMMIT has succeeded or failed, as it does with batches of
 * other processes. So the one is flushed while the other is prepared, and neither depends on the
 * success of the other.
 */
export function createBatchWriter({ db, tracer, shares }: WriterServices): BatchWriter {
  let isWriting = false
  /** Arrivals that no batch has taken. */
  let waiting = 0
  const spacing = createBatchSpacing()
  const commitTimes = createCommitTimes()
  /** The end of the last batch but one. */
  let former = Promise.resolve()

  async function writeAll(): Promise<void> {
    for (;;) {
      const delay = waiting > 0 ? spacing.timeUntilDue(waiting) : 0
      if (delay > 0) await sleep(delay)
      const batch = shares.take()
      if (batch.length === 0) break
      waiting -= batch.length
      spacing.begin(batch.length)
      const { promise: written, resolve: onWritten } = Promise.withResolvers<void>()
      const settled = settle(batch, onWritten)
      await settleWithin(Promise.all([former, Promise.race([written, settled])]), longestTurn)
      former = settled
    }
    isWriting = false
  }

  async function settle(batch: readonly Waiting[], onWritten: () => void): Promise<void> {
    const begunAt = performance.now()
    const passed = new Set<number>()
    const letPass = (tenantId: number) => {
      if (passed.has(tenantId)) return
      passed.add(tenantId)
      shares.letPass(tenantId)
      onWritten()
      wake()
    }
    const onSettled = (tenantId: number) => {
      letPass(tenantId)
      shares.release(tenantId)
      wake()
    }
    await traceBatch(tracer, batch, () => settleBatch(db, batch, { onWritten: letPass, onSettled }))
    commitTimes.add((performance.now() - begunAt) / 1000)
  }

  function wake(): void {
    if (isWriting) return
    isWriting = true
    // Starts in the next turn of the event loop: all messages of this turn go into the same batch.
    setImmediate(writeAll)
  }

  return {
    add(item) {
      const { account, message } = item.arrival
      shares.add(account, message.length, item)
      waiting += 1
      wake()
    },
    commitTimes: commitTimes.read,
  }
}
