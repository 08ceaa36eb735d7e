import type { Violation } from './check.ts'
import type { Facts, StoredDownlink } from './facts.ts'
import type { LedgerDownlink } from './ledger.ts'

/**
 * Each downlink has one outcome, and the network has transmitted what the outcomes say. One whose hand-over
 * was cut off by a hop or a restart, and that was sent without a trace, is handed over again
 * (docs/guarantees.md).
 */
export function checkDownlinks({ ledger, downlinks, transmitted }: Facts): Violation[] {
  const stored = Map.groupBy(downlinks, ({ bytes }) => bytes)
  const sent = new Map<string, number>()
  const again = new Map<string, number>()
  for (const { eui, state, attempts } of downlinks) {
    if (attempts > 1) again.set(eui, (again.get(eui) ?? 0) + attempts - 1)
    if (state === 'sent' || state === 'acknowledged') sent.set(eui, (sent.get(eui) ?? 0) + 1)
  }
  return [
    ...[...ledger.downlinks].flatMap(([bytes, asked]) =>
      checkStored(asked, stored.get(bytes) ?? []).map((text) => wrong(`${bytes} ${text}`)),
    ),
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

function wrong(text: string): Violation {
  return { promised: 'Downlinks', text }
}

/** Each lost answer may have left one more, of which nobody knew: it is sent, and never cancelled. */
function checkStored({ eui, id, isCancelled, lost }: LedgerDownlink, rows: StoredDownlink[]) {
  const isThere = rows.some((row) => row.id === id)
  if (!isThere || rows.length > 1 + lost) {
    return [
      `of ${eui} is there ${rows.length} times${isThere ? '' : ', and not as it was answered'}`,
    ]
  }
  return rows.flatMap((row) => {
    if (row.eui !== eui) return [`of ${eui} is of ${row.eui}`]
    const expected = row.id === id && isCancelled ? ['cancelled'] : ['sent', 'acknowledged']
    if (expected.includes(row.state)) return []
    return [`of ${eui} is ${row.state}, cancelled: ${isCancelled}, error: ${row.error}`]
  })
}
