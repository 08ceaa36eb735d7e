import type { Violation } from './check.ts'
import type { Facts } from './facts.ts'
import type { SoakPlan } from './plan.ts'

/** With so many, some 20 devices join again (plan.ts). Alerts and cancelled downlinks are more. */
const leastUplinks = 10_000
/** In milliseconds. On shorter days the clock hops too seldom while a receiver is away to disable its webhook. */
const leastDayLength = 20_000

/** A long run has each of these: otherwise nothing was compared with nothing. */
export function checkVariety(facts: Facts): Violation[] {
  return listKinds(facts)
    .filter(({ number }) => number === 0)
    .map(({ text }) => ({ promised: 'Variety', text }))
}

/** How many kinds of events were demanded. */
export function countKinds(facts: Facts): number {
  return listKinds(facts).length
}

function listKinds({ plan, ledger, alerts, joins, resumed }: Facts) {
  if (!isLongEnough(plan)) return []
  const cancelled = [...ledger.downlinks.values()].filter(({ isCancelled }) => isCancelled)
  return [
    { number: alerts.open + alerts.closed, text: 'no alert was opened' },
    { number: cancelled.length, text: 'no downlink was cancelled' },
    { number: joins, text: 'no device joined again' },
    { number: resumed, text: 'no webhook was resumed' },
  ]
}

function isLongEnough({ devices, days, dayLength }: SoakPlan): boolean {
  return devices * days >= leastUplinks && dayLength >= leastDayLength
}
