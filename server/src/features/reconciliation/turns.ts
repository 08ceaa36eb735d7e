import { createConcurrencyLimit, createLimitPerKey } from '../../http/concurrency-limit.ts'
import { unavailable } from '../../http/errors.ts'

/** Comparisons in one process at once: each may hold all that a network lists in memory. */
const atOnce = 4
const waiting = 8
/** Of one root organization: its comparisons, however long, leave some of them to others. */
const atOnceOfRoot = 2
const waitingOfRoot = 4
/** More comparisons of an account that stand in line behind the one that runs. */
const waitingPerAccount = 4
/** After which one that was turned away may be asked for again. */
const pauseSeconds = 30

/** Whose turn it is. */
interface Turn {
  accountId: number
  rootId: number
}

/** Runs a comparison, and what is done about it, when it is the account's turn. */
export type Turns = <T>(turn: Turn, work: () => Promise<T>) => Promise<T>

/**
 * Lets one comparison of an account run at a time, few of a root organization, and few in all; some
 * more wait in line. Throws a 503 for those beyond, before anything is spent on them.
 */
export function createTurns(): Turns {
  const refuse = () => unavailable(pauseSeconds, 'Too many accounts are being compared. Try later.')
  const ofProcess = createConcurrencyLimit({ atOnce, waiting, refuse })
  const ofRoots = createLimitPerKey({ atOnce: atOnceOfRoot, waiting: waitingOfRoot, refuse })
  const ofAccounts = createLimitPerKey({
    atOnce: 1,
    waiting: waitingPerAccount,
    refuse: () => unavailable(pauseSeconds, 'The account is being compared already.'),
  })
  return ({ accountId, rootId }, work) =>
    ofAccounts.run(accountId, () => ofRoots.run(rootId, () => ofProcess(work)))
}

/** Those of this process, for requests and the comparison of each day alike. */
export const takeTurn = createTurns()
