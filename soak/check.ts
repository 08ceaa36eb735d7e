import { checkDownlinks } from './check-downlinks.ts'
import { checkEvents } from './check-events.ts'
import { checkSamples } from './check-samples.ts'
import { checkUplinks } from './check-uplinks.ts'
import type { Facts } from './facts.ts'

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
] as const
export type Promised = (typeof promises)[number]

export interface Violation {
  promised: Promised
  text: string
}

/** Everything in the facts that must not be. */
export function findViolations(facts: Facts): Violation[] {
  const of = (promised: Promised) => (text: string) => ({ promised, text })
  return [
    ...checkUplinks(facts),
    ...checkEvents(facts),
    ...checkDownlinks(facts),
    ...checkSamples(facts),
    ...facts.waiting.map(of('Accepted work')),
    ...facts.failures.map(of('Answers')),
    ...facts.errors.map(of('Errors in the log')),
  ]
}
