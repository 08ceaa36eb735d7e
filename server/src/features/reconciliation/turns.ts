import { unavailable } from '../../http/errors.ts'
import { createSlots, type Slots } from '../auth/hash-slots.ts'

/** Comparisons in one process at once: each may hold all that a network lists in memory. */
const atOnce = 4
const waiting = 8
/** More comparisons of an account that stand in line behind the one that runs. */
const waitingPerAccount = 4
/** After which one that was turned away may be asked for again. */
const pauseSeconds = 30

/** Runs a comparison, and what is done about it, when it is the account's turn. */
export type Turns = <T>(accountId: number, work: () => Promise<T>) => Promise<T>

/**
 * Lets one comparison of an account run at a time, and few in all; some more wait in line. Throws a
 * 503 for those beyond, before anything is spent on them.
 */
export function createTurns(): Turns {
  const ofProcess = createSlots({
    atOnce,
    waiting,
    refuse: () => unavailable(pauseSeconds, 'Too many accounts are being compared. Try later.'),
  })
  const ofAccounts = new Map<number, { slots: Slots; users: number }>()
  return async (accountId, work) => {
    const line = ofAccounts.get(accountId) ?? { slots: createAccountSlots(), users: 0 }
    ofAccounts.set(accountId, line)
    line.users += 1
    try {
      return await line.slots(() => ofProcess(work))
    } finally {
      line.users -= 1
      if (line.users === 0) ofAccounts.delete(accountId)
    }
  }
}

function createAccountSlots(): Slots {
  return createSlots({
    atOnce: 1,
    waiting: waitingPerAccount,
    refuse: () => unavailable(pauseSeconds, 'The account is being compared already.'),
  })
}

/** Those of this process, for requests and the comparison of each day alike. */
export const takeTurn = createTurns()
