import type { Verdict } from './check.ts'
import type { Facts } from './facts.ts'
import { describeSamples } from './sample-table.ts'
import type { Upkeep } from './upkeep.ts'
import type { Viewers } from './viewers.ts'

export interface Outcome {
  facts: Facts
  viewers: Viewers
  upkeep: Upkeep
  logins: number
}

/** The lines that a run ends with. */
export function describeOutcome(outcome: Outcome, verdicts: readonly Verdict[]): string[] {
  return [...describeSamples(outcome.facts), ...describeRun(outcome), ...describeVerdicts(verdicts)]
}

/** What was not judged has neither passed nor failed. */
export function describeVerdicts(verdicts: readonly Verdict[]): string[] {
  const broken = verdicts.filter(({ violations }) => violations.length > 0)
  const whole = verdicts.filter(({ violations }) => violations.length === 0)
  const passed = whole.filter(({ judged }) => judged > 0)
  const open = whole.filter(({ judged }) => judged === 0)
  return [
    ...broken.flatMap(describeViolations),
    ...open.map(({ promised }) => `not judged: ${promised}`),
    `judged: ${passed.map(({ promised, judged }) => `${promised} ${judged}`).join(', ')}`,
    `${passed.length} passed, ${broken.length} failed`,
  ]
}

const mostShown = 5

function describeViolations({ promised, violations }: Verdict): string[] {
  const shown = violations.slice(0, mostShown).map(({ text }) => `VIOLATED ${promised}: ${text}`)
  const more = violations.length - mostShown
  return more > 0 ? [...shown, `and ${more} more of ${promised}`] : shown
}

function describeRun({ facts, viewers, upkeep, logins }: Outcome): string[] {
  const { ledger, counter, stored, alerts, plan, behind } = facts
  const states = Map.groupBy(facts.downlinks, ({ state }) => state)
  const downlinks = [...states].map(([state, same]) => `${same.length} ${state}`)
  const answers = Object.entries(viewers.answers).map(([what, number]) => `${number} ${what}`)
  return [
    `uplinks: ${counter.uplinks} counted, ${stored.rows} kept for ${plan.keptDays} days; ` +
      `${ledger.repeated} sent twice, ${ledger.refused} posts refused and repeated, ` +
      `at most ${behind.toFixed(2)} days behind`,
    `events: ${ledger.events.size} besides uplinks, ${ledger.repetitions.length} came again; ` +
      `${facts.joins} joins; alerts: ${alerts.open} open, ${alerts.closed} closed; ` +
      `webhooks resumed: ${facts.resumed}`,
    `downlinks: ${downlinks.join(', ')}`,
    `people: ${answers.join(', ')} answers, ${viewers.exported()} rows exported, ${logins} logins`,
    `operator: ${upkeep.done.length} acts; ${upkeep.sealed}`,
  ]
}
