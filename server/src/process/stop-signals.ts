/** Milliseconds in which further signals count as the first one. */
const repeatMilliseconds = 1000

/**
 * Calls `first` at the first SIGINT or SIGTERM, and `again` at a later one. The same signal may come
 * twice at once, because npm passes on what the terminal or the service manager sends to all
 * processes. With `isChild` SIGINT is ignored: Ctrl-C goes to all processes of a terminal, and the
 * parent ends its children by SIGTERM.
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
