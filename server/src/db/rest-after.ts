import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds. A stop waits for it, and work may take long only because the database was away. */
const longestRest = 3000

/**
 * Leaves the machine to others between two portions of work in the background: rests for so many times as
 * long as the work took that began at this time of `performance.now()`, but no longer than three seconds.
 */
export async function restAfter(begun: number, times = 1): Promise<void> {
  await sleep(Math.min((performance.now() - begun) * times, longestRest))
}
