import type { Violation } from './check.ts'
import type { Facts } from './facts.ts'

/** In days. Senders that are behind by more send in another order and at other times than planned. */
const mostBehind = 0.5

/** The senders kept up with the clock: the retention is judged by their days. */
export function checkPace({ behind }: Facts): Violation[] {
  if (behind <= mostBehind) return []
  const text = `the senders were ${behind.toFixed(2)} days behind: the run needs more minutes`
  return [{ promised: 'Pace', text }]
}
