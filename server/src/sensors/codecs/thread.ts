import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { CodecAnswer, CodecBatch, CodecLimits, CodecOutcome } from './codec.ts'
import type { WorkerData } from './worker.ts'

/** A worker thread. It starts with its first work, and again after it was ended. */
export interface Thread {
  /**
   * Performs one batch at a time. Tasks without an outcome may be tried again: they were not done, or
   * their outcome was lost with a thread that hung and was ended.
   */
  perform(batch: CodecBatch): Promise<(CodecOutcome | undefined)[]>
  close(): Promise<void>
}

/** The outcome of the task in which a thread hung. */
export const hung: CodecOutcome = {
  ok: false,
  failure: 'limit',
  message: 'The codec did not come back and was ended.',
}

const notStarted: CodecOutcome = {
  ok: false,
  failure: 'busy',
  message: 'There is no thread for the codec.',
}

interface Started {
  worker: Worker
  progress: Int32Array
}

/** The longest start of a thread, on a busy machine. */
const startMilliseconds = 10_000

export function createThread(limits: { codec: CodecLimits; hangMilliseconds: number }): Thread {
  let started: Started | undefined
  let isClosed = false

  async function end(): Promise<void> {
    const { worker } = started ?? {}
    started = undefined
    await worker?.terminate()
  }

  async function isReady(): Promise<Started | undefined> {
    try {
      started ??= await start(limits.codec)
    } catch {
      return undefined
    }
    if (isClosed) await end()
    return started
  }

  return {
    async perform(batch) {
      const thread = await isReady()
      if (!thread) return batch.tasks.map(() => notStarted)
      const outcomes = await exchange(thread, batch, limits.hangMilliseconds)
      if (outcomes) return outcomes
      const inHand = Atomics.load(thread.progress, 0)
      await end()
      return batch.tasks.map((_task, index) => (index === inHand ? hung : undefined))
    },
    async close() {
      isClosed = true
      await end()
    },
  }
}

/**
 * Of the environment a thread has only where this process keeps compiled code, if anywhere: without it,
 * a thread takes twice the processor time to start.
 */
function environment(): Record<string, string> {
  const NODE_COMPILE_CACHE = getCompileCacheDir()
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

/** Sends a batch and receives its outcomes; undefined when the worker hangs or dies. */
async function exchange(
  { worker, progress }: Started,
  batch: CodecBatch,
  milliseconds: number,
): Promise<CodecOutcome[] | undefined> {
  Atomics.store(progress, 0, 0)
  worker.ref()
  worker.postMessage(batch)
  try {
    const signal = AbortSignal.timeout(milliseconds)
    const [answer]: CodecAnswer[] = await once(worker, 'message', { signal })
    worker.unref()
    return answer?.outcomes ?? []
  } catch {
    return undefined
  }
}

async function start(limits: CodecLimits): Promise<Started> {
  const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { limits, progress } satisfies WorkerData,
    env: environment(),
    // Images of codecs are outside of the heap, their sources in it.
    resourceLimits: {
      maxOldGenerationSizeMb: 128 + limits.cacheLength / 1024 / 1024,
      stackSizeMb: 8,
    },
  })
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(startMilliseconds) })
  } catch (error) {
    await worker.terminate()
    throw error
  }
  // The next batch finds a thread that died between two batches.
  worker.on('error', () => undefined)
  worker.unref()
  return { worker, progress }
}
