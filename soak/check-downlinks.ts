import type { Violation } from './check.ts'
import type { Facts } from './facts.ts'

/**
 * Each downlink has one outcome, and the network has transmitted what the outcomes say. One whose hand-over
 * was cut off by a hop or a restart, and that was sent without a trace, is handed over again
 * (docs/guarantees.md).
 */
export function checkDownlinks({ ledger, downlinks, transmitted }: Facts): Violation[] {
  const wrong = (text: string): Violation => ({ promised: 'Downlinks', text })
  const stored = Map.groupBy(downlinks, ({ bytes }) => bytes)
  const sent = new Map<string, number>()
  const again = new Map<string, number>()
  for (const { eui, state, attempts } of downlinks) {
    if (attempts > 1) again.set(eui, (again.get(eui) ?? 0) + attempts - 1)
    if (state === 'sent' || state === 'acknowledged') sent.set(eui, (sent.get(eui) ?? 0) + 1)
  }
  return [
    ...[...ledger.downlinks].flatMap(([bytes, { eui, isCancelled }]) => {
      const rows = stored.get(bytes) ?? []
      const [row] = rows
      if (!row || rows.length > 1)
        return [wrong(`${bytes} of ${eui} is there ${rows.length} times`)]
      if (row.eui !== eui) return [wrong(`${bytes} of ${eui} is of ${row.eui}`)]
      if (isCancelled !== (row.state === 'cancelled')) {
        return [wrong(`${bytes} of ${eui} is ${row.state}, cancelled: ${isCancelled}`)]
      }
      const isRight = ['sent', 'acknowledged', 'cancelled'].includes(row.state)
      return isRight ? [] : [wrong(`${bytes} of ${eui} is ${row.state}: ${row.error}`)]
    }),
    ...[...transmitted].flatMap(([eui, count]) => {
      const least = sent.get(eui) ?? 0
      const isRight = count >= least && count <= least + (again.get(eui) ?? 0)
      return isRight
        ? []
        : [wrong(`the network transmitted ${count} to ${eui}, and ${least} were sent`)]
    }),
    ...downlinks
      .filter(({ bytes }) => !ledger.downlinks.has(bytes))
      .map(({ bytes, eui }) => wrong(`${bytes} of ${eui} was never asked for`)),
  ]
}
