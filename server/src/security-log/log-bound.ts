const windowMilliseconds = 60_000
/** Lines a minute, of one caller and of all. */
const most = { ofCaller: 20, ofAll: 300 }

/**
 * Keeps a log from being flooded by callers who are refused. Tells how many lines were left out
 * since the last one, or undefined when this one is left out too.
 */
export function createLogBound(): (caller: string, now: number) => number | undefined {
  let start = 0
  let total = 0
  let unlogged = 0
  const counts = new Map<string, number>()
  return (caller, now) => {
    if (now - start >= windowMilliseconds) {
      start = now
      total = 0
      counts.clear()
    }
    const count = counts.get(caller) ?? 0
    if (total >= most.ofAll || count >= most.ofCaller) {
      unlogged += 1
      return undefined
    }
    counts.set(caller, count + 1)
    total += 1
    const before = unlogged
    unlogged = 0
    return before
  }
}
