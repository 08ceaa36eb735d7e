/** Signals that come so soon after the first one are the same wish. */
const repeatMilliseconds = 1000

/**
 * Calls `first` at the first SIGINT or SIGTERM, and `again` when a person signals once more. Not for
 * a signal that comes twice: npm passes on what the terminal or the service manager has sent to all
 * processes. With `isChild` SIGINT is none: Ctrl-C goes to all processes of a terminal, and the
 * parent ends its children by SIGTERM, which must not count as a repetition.
 */
export function takeStopSignals(
  take: { first(signal: string): void; again(): void },
  { isChild = false } = {},
): { isStopping(): boolean } {
  let signalledAt: number | undefined
  const heed = (signal: string) => {
    if (signalledAt === undefined) {
      signalledAt = performance.now()
      take.first(signal)
    } else if (performance.now() - signalledAt > repeatMilliseconds) {
      take.again()
    }
  }
  process.on('SIGTERM', heed)
  process.on('SIGINT', isChild ? () => {} : heed)
  return { isStopping: () => signalledAt !== undefined }
}
