import { checkDownlinks } from './check-downlinks.ts'
import { checkEvents } from './check-events.ts'
import { checkPace } from './check-pace.ts'
import { checkSamples, countSamples } from './check-samples.ts'
import { checkUplinks, countOld } from './check-uplinks.ts'
import { checkVariety, countKinds } from './check-variety.ts'
import type { Facts } from './facts.ts'
import { outcome } from './ledger.ts'

/** What must hold at the end of a run. */
export const promises = [
  'Uplinks',
  'Counters',
  'Retention',
  'Webhooks',
  'Repetitions',
  'Downlinks',
  'Accepted work',
  'Answers',
  'Errors in the log',
  'Memory',
  'Files',
  'Connections',
  'Tables',
  'Disk',
  'Comparisons',
  'Pace',
  'Variety',
] as const
export type Promised = (typeof promises)[number]

export interface Violation {
  promised: Promised
  text: string
}

export interface Verdict {
  promised: Promised
  /** By how much it was judged: something that has 0 has not passed. */
  judged: number
  violations: Violation[]
}

export function judge(facts: Facts): Verdict[] {
  const violations = Map.groupBy(findViolations(facts), ({ promised }) => promised)
  const judged = countJudged(facts)
  return promises.map((promised) => ({
    promised,
    judged: judged[promised],
    violations: violations.get(promised) ?? [],
  }))
}

/** Everything in the facts that must not be. */
export function findViolations(facts: Facts): Violation[] {
  const of = (promised: Promised) => (text: string) => ({ promised, text })
  return [
    ...checkUplinks(facts),
    ...checkEvents(facts),
    ...checkDownlinks(facts),
    ...checkSamples(facts),
    ...checkPace(facts),
    ...checkVariety(facts),
    ...facts.waiting.map(of('Accepted work')),
    ...facts.failures.map(of('Answers')),
    ...facts.errors.map(of('Errors in the log')),
  ]
}

function countJudged(facts: Facts): Record<Promised, number> {
  const { ledger, counter } = facts
  const acknowledged = ledger.outcomes.filter((found) => found === outcome.acknowledged).length
  const downlinks = ledger.downlinks.size
  const told = ledger.arrivals.filter((times) => times > 0).length + ledger.events.size
  return {
    ...{ Uplinks: acknowledged, Counters: counter.uplinks, Retention: countOld(facts) },
    ...{ Webhooks: told, Repetitions: told, Downlinks: downlinks },
    ...{ 'Accepted work': acknowledged + downlinks, Pace: acknowledged },
    Answers: facts.answered + facts.failures.length,
    'Errors in the log': facts.logLines,
    ...countSamples(facts),
    Variety: countKinds(facts),
  }
}
