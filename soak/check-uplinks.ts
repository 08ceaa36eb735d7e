import type { Violation } from './check.ts'
import type { Facts } from './facts.ts'
import { outcome } from './ledger.ts'

/**
 * Each acknowledged uplink was told of under one ordinal, and is stored under it once, or is old enough to
 * be deleted. All ordinals were told of.
 */
export function checkUplinks(facts: Facts): Violation[] {
  return [...checkEach(facts), ...checkCounter(facts), ...checkRetention(facts)]
}

function lost(text: string): Violation {
  return { promised: 'Uplinks', text }
}

function checkEach({ ledger, stored, counter }: Facts): Violation[] {
  const violations = [
    ...ledger.twice.map((number) => lost(`uplink ${number} was told of under two ordinals`)),
    ...stored.twice.map((number) => lost(`uplink ${number} is stored twice`)),
  ]
  for (const [number, found] of ledger.outcomes.entries()) {
    const told = ledger.ordinals[number] ?? 0
    const kept = stored.ordinals[number] ?? 0
    if (found === outcome.none && (told !== 0 || kept !== 0)) {
      violations.push(lost(`uplink ${number} was never sent, and is there`))
    } else if (found === outcome.acknowledged) {
      if (told === 0) {
        violations.push({ promised: 'Webhooks', text: `uplink ${number} never came` })
      }
      const isStored = kept !== 0 || (told !== 0 && told < counter.firstOrdinal)
      if (!isStored) violations.push(lost(`uplink ${number} was acknowledged and is not stored`))
    }
    if (told !== 0 && kept !== 0 && told !== kept) {
      violations.push(lost(`uplink ${number} is stored as ${kept} and was told of as ${told}`))
    }
  }
  return violations
}

function checkCounter({ counter, stored, ledger }: Facts): Violation[] {
  const wrong = (text: string): Violation => ({ promised: 'Counters', text })
  const { uplinks, firstOrdinal } = counter
  const violations: Violation[] = []
  if (stored.rows !== uplinks - firstOrdinal + 1) {
    violations.push(
      wrong(
        `${uplinks} uplinks are counted, from ordinal ${firstOrdinal}; ${stored.rows} are there`,
      ),
    )
  }
  const told = ledger.arrivals.findLastIndex((count) => count > 0)
  if (told > uplinks) violations.push(wrong(`${told} was told of, and ${uplinks} are counted`))
  let missing = 0
  for (let ordinal = 1; ordinal <= uplinks; ordinal += 1) {
    if (!ledger.arrivals[ordinal]) missing += 1
  }
  if (missing > 0) {
    violations.push({ promised: 'Webhooks', text: `${missing} ordinals were never told of` })
  }
  return violations
}

/** Of a day: uplinks are dated when they are stored, and deleted some seconds after they are too old. */
const slack = 1.5

/** What was sent before this day must be deleted. */
function oldDay({ plan, endDay, behind }: Facts): number {
  return endDay - plan.keptDays - slack - behind
}

/** Uplinks that must be deleted. */
export function countOld(facts: Facts): number {
  const { plan, ledger } = facts
  const most = Math.max(0, Math.ceil(oldDay(facts) * plan.devices))
  return ledger.ordinals.subarray(0, most).filter((ordinal) => ordinal > 0).length
}

function checkRetention(facts: Facts): Violation[] {
  const { plan, ledger, counter, endDay, hops } = facts
  const wrong = (text: string): Violation => ({ promised: 'Retention', text })
  const oldest = endDay - plan.keptDays
  const old = oldDay(facts)
  // Between two hops the clock is behind the turns of the devices, which are spread evenly.
  const ahead = plan.days / Math.max(hops.length, plan.days)
  for (const [number, ordinal] of ledger.ordinals.entries()) {
    if (ordinal === 0) continue
    const day = number / plan.devices
    const isKept = ordinal >= counter.firstOrdinal
    if (!isKept && day > oldest + ahead) {
      return [wrong(`uplink ${number} of day ${day.toFixed(1)} is deleted on day ${endDay}`)]
    }
    if (isKept && day < old) {
      return [wrong(`uplink ${number} of day ${day.toFixed(1)} is there on day ${endDay}`)]
    }
  }
  return []
}
