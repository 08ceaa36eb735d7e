import { createRoom, type ShareUser } from '../../http/room.ts'
import type { MessageRoom } from '../../networks/mqtt/broker.ts'

/** The messages of brokers that this process holds while they are stored. */
export interface HeldMessages {
  /** The share of an organization, over all its subscriptions. */
  roomOf(user: ShareUser): MessageRoom
}

/**
 * In bytes, of one organization while no other holds anything; all together may hold twice as much.
 * It is a quarter of what the ingest queue takes of an organization, so that brokers alone never
 * fill that: a refused message would be tried again and again.
 */
const capacity = 8 * 1024 * 1024

export function createHeldMessages(): HeldMessages {
  const held = createRoom(capacity)
  return {
    roomOf: ({ organizationId, tenantId }) => {
      const user = { organizationId, tenantId }
      return {
        isFree: () => held.partOf(user) < 1,
        hold(bytes) {
          held.change(user, bytes)
          return () => held.change(user, -bytes)
        },
      }
    },
  }
}
