import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { isSilence } from './errors.ts'

interface Silence {
  /** When a connection was last found to be silent. */
  last: number
  /** When the present connections were opened. */
  openedAt: WeakMap<pg.PoolClient, number>
}

const silences = new WeakMap<pg.Pool, Silence>()

/**
 * When one connection has fallen silent, those that were opened before it was noticed are not used
 * again: after a failover all of them are silent, and each would cost its user the whole time. Returns
 * a function that notes the silence in an error, and throws the error.
 */
export function watchSilence(pool: pg.Pool): (error: unknown) => never {
  const silence: Silence = { last: Number.NEGATIVE_INFINITY, openedAt: new WeakMap() }
  silences.set(pool, silence)
  pool.on('connect', (client) => silence.openedAt.set(client, performance.now()))
  return (error) => {
    if (isSilence(error)) silence.last = performance.now()
    throw error
  }
}

/** Whether the connection was opened before another one was found to be silent. */
export function isOutdated(pool: pg.Pool, client: pg.PoolClient): boolean {
  const silence = silences.get(pool)
  return silence !== undefined && (silence.openedAt.get(client) ?? 0) <= silence.last
}

/** Closes the connection without a word to the server, which may not hear it. */
export function abandon(client: pg.PoolClient): void {
  // Not in the types of pg.
  const { connection } = client as { connection?: { stream?: Pick<Duplex, 'destroy'> } }
  connection?.stream?.destroy()
  client.release(true)
}
