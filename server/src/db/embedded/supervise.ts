import { setTimeout as wait } from 'node:timers/promises'
import {
  type Launch,
  type Postmaster,
  spawnPostmaster,
  stopOrphan,
  stopPostmaster,
  waitUntilReady,
} from './postmaster.ts'

interface Supervised {
  /** Ends PostgreSQL for good; within 15 s or so. */
  stop(): Promise<void>
}

/** Milliseconds between restarts, doubled each time from the first to the last. */
const firstDelay = 50
const lastDelay = 5000

/** Milliseconds between lines of the log about failed restarts: each tells its last words at first. */
const lineInterval = 60_000

/** Milliseconds that the first start waits for backends of an earlier run to end. */
const patience = 30_000

/** FATAL messages while an earlier PostgreSQL is still ending (miscinit.c, sysv_shmem.c). */
const predecessorMessage = /pre-existing shared memory block|lock file ".*" already exists/

/**
 * Starts PostgreSQL and restarts it at the same address whenever it ends by itself. Resolves when it
 * accepts connections.
 * @throws Error with PostgreSQL's own message, when the first start fails.
 */
export async function supervise(launch: Launch): Promise<Supervised> {
  const { place, log } = launch
  const stopping = new AbortController()
  let current = await startFirst(launch)

  async function keepRunning(): Promise<void> {
    for (;;) {
      const how = await current.ended
      if (stopping.signal.aborted) return
      log.error({ how, lastWords: current.lastWords() }, 'PostgreSQL ended; it is started again.')
      await startAgain()
      if (stopping.signal.aborted) return
      log.info({ pid: current.child.pid }, 'PostgreSQL runs again.')
    }
  }

  async function startAgain(): Promise<void> {
    let toldAt = performance.now()
    for (let delay = firstDelay; ; delay = Math.min(delay * 2, lastDelay)) {
      await wait(delay, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      current = await spawnPostmaster(launch)
      if (stopping.signal.aborted) return stopPostmaster(place, current)
      try {
        return await waitUntilReady(current, place.cluster)
      } catch (error) {
        if (performance.now() - toldAt < lineInterval) continue
        toldAt = performance.now()
        log.error({ err: error }, 'PostgreSQL does not start again.')
      }
    }
  }

  const running = keepRunning()
  return {
    async stop() {
      stopping.abort()
      await stopPostmaster(place, current)
      await running
    },
  }
}

async function startFirst(launch: Launch): Promise<Postmaster> {
  const start = performance.now()
  for (let delay = firstDelay; ; delay = Math.min(delay * 2, lastDelay)) {
    // Inside the loop, because a young orphan may not have written its file yet.
    await stopOrphan(launch.place, launch.log)
    const postmaster = await spawnPostmaster(launch)
    try {
      await waitUntilReady(postmaster, launch.place.cluster)
      return postmaster
    } catch (error) {
      const isEarly = predecessorMessage.test(postmaster.lastWords())
      if (!isEarly || performance.now() - start > patience) throw error
    }
    await wait(delay)
  }
}
