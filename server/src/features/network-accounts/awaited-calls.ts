import { HttpError } from '../../http/errors.ts'
import { createSlots, type Slots } from '../auth/hash-slots.ts'

/** Calls of one organization that requests of this process wait for, at once. */
const atOnce = 16
/** Requests that stand in line for one; of those beyond the background makes the calls. */
const waiting = 200

/** Makes a call that a request waits for, when it is its turn in its organization. */
export type AwaitedCalls = (organizationId: number, call: () => Promise<void>) => Promise<void>

/** A slow network takes the time of its own organization's requests, and of no other's. */
export function createAwaitedCalls(): AwaitedCalls {
  const lines = new Map<number, { slots: Slots; users: number }>()
  return async (organizationId, call) => {
    const line = lines.get(organizationId) ?? { slots: createSlots({ atOnce, waiting }), users: 0 }
    lines.set(organizationId, line)
    line.users += 1
    try {
      await line.slots(call)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
    } finally {
      line.users -= 1
      if (line.users === 0) lines.delete(organizationId)
    }
  }
}
