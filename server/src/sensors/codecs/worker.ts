import { parentPort, workerData } from 'node:worker_threads'
import type { CodecAnswer, CodecBatch, CodecLimits, CodecOutcome } from './codec.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'

/*
 * A worker thread: performs one batch after the other in a sandbox. The pool sends the next batch
 * after the answer, and ends a thread that does not answer.
 */

export interface WorkerData {
  limits: CodecLimits
  /** The index of the current task, for the pool when it must end the thread. */
  progress: Int32Array
}

/** After so many milliseconds the rest of a batch is returned: others may be waiting. */
const slice = 20

const { limits, progress }: WorkerData = workerData
let sandbox = await createSandbox(limits)

parentPort?.on('message', async ({ source, tasks }: CodecBatch) => {
  const end = performance.now() + slice
  const outcomes: CodecOutcome[] = []
  for (const [index, task] of tasks.entries()) {
    Atomics.store(progress, 0, index)
    outcomes.push(await perform(source, task))
    if (performance.now() > end) break
  }
  parentPort?.postMessage({ outcomes } satisfies CodecAnswer)
})
parentPort?.postMessage('ready')

async function perform(source: string, task: CodecBatch['tasks'][number]): Promise<CodecOutcome> {
  const { name } = task
  try {
    return name === 'parse' ? parse(sandbox, source) : sandbox.call({ ...task, source, name })
  } catch {
    // The stack of the thread ran out, for example. The state of the instance is unusable now.
    sandbox = await createSandbox(limits)
    return { ok: false, failure: 'limit', message: 'The codec ran out of the stack of its thread.' }
  }
}

function parse(sandbox: Sandbox, source: string): CodecOutcome {
  const message = sandbox.parse(source)
  return message === undefined
    ? { ok: true, text: 'null' }
    : { ok: false, failure: 'error', message }
}
