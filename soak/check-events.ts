import type { Violation } from './check.ts'
import type { Facts } from './facts.ts'
import type { Repetition } from './ledger.ts'

/** All events but those of uplinks, and what came again. */
export function checkEvents(facts: Facts): Violation[] {
  return [...checkRepetitions(facts), ...checkOthers(facts)]
}

/** An attempt that is cut off is repeated so soon after, in real milliseconds. */
const aftermath = 15_000
/** A hop ends claims: what was being sent may be sent again. */
const hopAftermath = 3_000
/**
 * So long after an arrival, at most, is its outcome stored: a portion of events begins requests for 5 seconds,
 * and each takes 10 at most.
 */
const unsettled = 15_000

/** An event comes again only where something has cut off the attempt before, and soon after such a time. */
function checkRepetitions({ ledger, hops }: Facts): Violation[] {
  const { disturbances } = ledger
  const isNear = (at: number) =>
    disturbances.some((time) => at >= time && at - time < aftermath) ||
    hops.some((time) => at >= time && at - time < hopAftermath)
  const isCutOff = ({ at, before }: Repetition) =>
    disturbances.some((time) => Math.abs(time - before) < unsettled) ||
    hops.some((time) => at >= time && at - time < hopAftermath && time - before < unsettled)
  return ledger.repetitions
    .filter((repetition) => !isNear(repetition.at) || !isCutOff(repetition))
    .map(({ id }) => ({ promised: 'Repetitions', text: `${id} came again without a reason` }))
}

function checkOthers(facts: Facts): Violation[] {
  const { ledger, alerts, joins, registered } = facts
  const events = [...ledger.events.values()]
  const count = (type: string, state?: string) =>
    events.filter((event) => event.type === type && (!state || event.state === state)).length
  const active = new Set(
    events
      .filter(({ type, state }) => type === 'registration' && state === 'active')
      .map(({ eui }) => eui),
  )
  const compare = (what: string, came: number, expected: number): Violation[] =>
    came === expected
      ? []
      : [{ promised: 'Webhooks', text: `${came} events came of ${expected} ${what}` }]
  return [
    ...checkHistory(facts),
    // A device joins once more, when it is registered at the network.
    ...compare('joins', count('join'), joins + registered.length),
    ...compare('opened alerts', count('alert', 'open'), alerts.open + alerts.closed),
    ...compare('closed alerts', count('alert', 'closed'), alerts.closed),
    ...registered
      .filter((eui) => !active.has(eui))
      .map((eui) => ({
        promised: 'Webhooks' as const,
        text: `the event that device ${eui} is active never came`,
      })),
  ]
}

/** Each entry in the history of a downlink has an event of its own, and there is no other one. */
function checkHistory({ ledger, history }: Facts): Violation[] {
  const events = [...ledger.events.values()].filter(({ type }) => type === 'downlink')
  const told = new Set(events.map(({ entry }) => entry))
  const missing = history.filter((id) => !told.has(id))
  const unknown = told.difference(new Set(history))
  const wrong = (text: string): Violation => ({ promised: 'Webhooks', text })
  return [
    ...(missing.length > 0
      ? [wrong(`${missing.length} of ${history.length} entries of downlinks were never told of`)]
      : []),
    ...(unknown.size > 0
      ? [wrong(`${unknown.size} entries of downlinks were told of and are not there`)]
      : []),
  ]
}
