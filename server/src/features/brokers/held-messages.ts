import type { MessageRoom } from '../../networks/mqtt/broker.ts'
import { partTaken } from '../uplinks/ingest-shares.ts'

/** The messages of brokers that this process holds while they are stored. */
export interface HeldMessages {
  /** The share of a tenant, over all its subscriptions. */
  roomOf(rootId: number): MessageRoom
}

/**
 * In bytes, of one organization while no other holds anything; all together may hold twice as much.
 * It is a quarter of what the ingest queue takes of an organization, so that brokers alone never
 * fill that: a refused message would be tried again and again.
 */
const capacity = 8 * 1024 * 1024

export function createHeldMessages(): HeldMessages {
  const held = new Map<number, number>()
  let all = 0
  const change = (rootId: number, bytes: number) => {
    const own = (held.get(rootId) ?? 0) + bytes
    if (own > 0) held.set(rootId, own)
    else held.delete(rootId)
    all += bytes
  }
  return {
    roomOf: (rootId) => ({
      isFree: () => partTaken(held.get(rootId) ?? 0, all, capacity) < 1,
      hold(bytes) {
        change(rootId, bytes)
        return () => change(rootId, -bytes)
      },
    }),
  }
}
