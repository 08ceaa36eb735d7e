import { type ConcurrencyLimit, createConcurrencyLimit } from '../../http/concurrency-limit.ts'
import { HttpError } from '../../http/errors.ts'

/** Calls of one organization that requests of this process wait for, at once. */
const atOnce = 16
/** Requests that stand in line for one; of those beyond the background makes the calls. */
const waiting = 200

/** Makes the calls that requests wait for, each when it is its turn in its organization. */
export interface AwaitedCalls {
  /** Whether a call of the organization that is made now has its turn at once. */
  isFree(organizationId: number): boolean
  inTurn(organizationId: number, call: () => Promise<void>): Promise<void>
}

/** A slow network takes the time of its own organization's requests, and of no other's. */
export function createAwaitedCalls(): AwaitedCalls {
  const lines = new Map<number, { slots: ConcurrencyLimit; users: number }>()
  return {
    isFree: (organizationId) => (lines.get(organizationId)?.users ?? 0) < atOnce,
    async inTurn(organizationId, call) {
      const line = lines.get(organizationId) ?? {
        slots: createConcurrencyLimit({ atOnce, waiting }),
        users: 0,
      }
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
    },
  }
}
