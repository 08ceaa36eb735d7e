import { availableParallelism, totalmem } from 'node:os'
import { type Breaker, createBreaker, mostPoints } from './breaker.ts'
import {
  type CodecFailure,
  type CodecLimits,
  type CodecOutcome,
  type CodecTask,
  defaultCodecLimits,
} from './codec.ts'
import { createFairQueue, type FairQueue, type Owner } from './fair-queue.ts'
import { createThread, hung, type Thread } from './thread.ts'

/** Runs codecs in worker threads. No tenant can use all threads. */
export interface CodecPool {
  /** Never rejects: running out of time is an outcome too. */
  run(request: CodecRequest): Promise<CodecOutcome>
  /** The number of frames that wait for a thread. */
  depth(): number
  close(): Promise<void>
}

/** Whose share of the threads a call uses: its organization's, within that of the tenant. */
export interface CodecUser {
  organizationId: number
  /** The tenant. */
  tenantId: number
}

/**
 * `codecId` is one version of a codec for one purpose. Faults are counted by it: a codec that never ends
 * pauses only itself, and its trials do not pause its uplinks.
 */
export interface CodecRequest {
  user: CodecUser
  codecId: string
  source: string
  name: CodecTask
  input: string
  timeZone?: string | undefined
}

export interface PoolLimits {
  codec: CodecLimits
  threads: number
  /** Tasks that a thread gets at once. */
  batchSize: number
  /** The most waiting tasks of all organizations (fair-queue.ts). */
  capacity: number
  /** The longest wait of a task, in milliseconds. */
  patience: number
  /** A thread that does not answer for so many milliseconds is ended. */
  hangMilliseconds: number
}

const mebibyte = 1024 * 1024
// At least two: one tenant never gets all.
const threads = Math.min(4, Math.max(2, availableParallelism() - 1))
// That of a container is 0 or huge where it has no limit of its own.
const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem())

export const defaultPoolLimits: PoolLimits = {
  codec: { ...defaultCodecLimits, cacheLength: cacheLengthOf(memory, threads) },
  threads,
  batchSize: 64,
  // Well below half of the ingest queue (ingest-queue.ts), where senders are slowed down.
  capacity: 8_000,
  patience: 2_000,
  hangMilliseconds: 1_500,
}

/** A thread's share of a sixteenth of the memory, from 48 to 256 MB: room for 240 to 1,300 codecs of 15 kB. */
export function cacheLengthOf(memory: number, threads: number): number {
  const share = memory / 16 / threads
  return Math.min(256 * mebibyte, Math.max(defaultCodecLimits.cacheLength, share))
}

interface Waiting {
  request: CodecRequest
  since: number
  resolve(outcome: CodecOutcome): void
}

const sweepMilliseconds = 250

export function createCodecPool(limits: PoolLimits = defaultPoolLimits): CodecPool {
  const breaker = createBreaker(now)
  const queue = createFairQueue<Waiting>({ ...limits, atOnce: Math.max(1, limits.threads - 1) })
  const threads = Array.from({ length: limits.threads }, () => createThread(limits))
  const dispatcher = createDispatcher(limits, { breaker, queue, free: [...threads] })
  let isClosed = false
  return {
    depth: queue.length,
    run(request) {
      if (isClosed) return Promise.resolve(closed)
      const pause = breaker.pauseOf(request.codecId)
      if (pause > 0) return Promise.resolve(paused(pause))
      return new Promise((resolve) => {
        const owner = { ...request.user, codecId: request.codecId }
        if (!queue.add(owner, { request, since: now(), resolve })) return resolve(tooMany)
        dispatcher.serveSoon()
      })
    },
    async close() {
      isClosed = true
      for (const { resolve } of queue.remove(() => true)) resolve(closed)
      dispatcher.stop()
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

interface Batch {
  owner: Owner
  items: Waiting[]
}

interface PoolParts {
  breaker: Breaker
  queue: FairQueue<Waiting>
  /** Threads without work. */
  free: Thread[]
}

/** Gives waiting tasks to free threads, and sweeps the queue while tasks wait. */
function createDispatcher(limits: PoolLimits, parts: PoolParts) {
  const { queue, free } = parts
  let isServing = false
  let sweeper: NodeJS.Timeout | undefined

  function serve(): void {
    isServing = false
    while (free.length > 0) {
      const taken = queue.take(limits.batchSize)
      if (!taken) break
      const thread = free.pop()
      if (thread) void work(thread, taken)
    }
    if (queue.length() > 0) sweeper ??= setInterval(sweepAndServe, sweepMilliseconds)
    else stop()
  }

  function stop(): void {
    clearInterval(sweeper)
    sweeper = undefined
  }

  function sweepAndServe(): void {
    sweep(parts, limits.patience)
    serve()
  }

  async function work(thread: Thread, taken: Batch): Promise<void> {
    const isAnyPaused = await perform(parts, thread, taken)
    if (isAnyPaused) sweepAndServe()
    else serve()
  }

  return {
    stop,
    /** Serves in the next turn of the event loop, so that calls of this turn share a batch. */
    serveSoon() {
      if (isServing || free.length === 0) return
      isServing = true
      setImmediate(serve)
    },
  }
}

/**
 * Performs one batch on a thread; tasks without an outcome go back to the queue. Returns whether its
 * codec is paused now.
 */
async function perform(
  { breaker, queue, free }: PoolParts,
  thread: Thread,
  { owner, items }: Batch,
): Promise<boolean> {
  const { codecId } = owner
  const started = now()
  const source = items[0]?.request.source ?? ''
  const tasks = items.map(({ request: { name, input, timeZone } }) => ({ name, input, timeZone }))
  const outcomes = await thread.perform({ source, tasks })
  const undone = items.filter(({ resolve }, index) => {
    const outcome = outcomes[index]
    if (!outcome) return true
    if (outcome.ok || outcome.failure === 'error') breaker.noteSuccess(codecId)
    else if (outcome.failure === 'limit')
      breaker.noteFault(codecId, outcome === hung ? mostPoints : 1)
    resolve(outcome)
    return false
  })
  queue.putBack(owner, undone)
  queue.release(owner, now() - started)
  free.push(thread)
  return breaker.pauseOf(codecId) > 0
}

/** Answers tasks that have waited too long or whose codec is paused. */
function sweep({ breaker, queue }: PoolParts, patience: number): void {
  const isLate = ({ since }: Waiting) => now() - since > patience
  for (const { resolve } of queue.remove(isLate)) resolve(tooLate)
  const isPaused = ({ request }: Waiting) => breaker.pauseOf(request.codecId) > 0
  for (const { request, resolve } of queue.remove(isPaused)) {
    resolve(paused(breaker.pauseOf(request.codecId)))
  }
}

function now(): number {
  return performance.now()
}

const closed = failure('busy', 'The service is stopping.')
const tooMany = failure('busy', 'Too many frames are queued for codecs.')
const tooLate = failure('busy', 'The codec had no time for the frame.')

function paused(milliseconds: number): CodecOutcome {
  const seconds = Math.ceil(milliseconds / 1000)
  return failure('busy', `The codec was stopped too often and is not run for ${seconds} s.`)
}

function failure(kind: CodecFailure, message: string): CodecOutcome {
  return { ok: false, failure: kind, message }
}
