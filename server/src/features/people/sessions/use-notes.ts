import type { CoreServices } from '../../core-services.ts'

/** Writes at the same time. A use beyond that is recorded with the next request. */
const most = 4

/**
 * Records when and from where sessions and API keys were last used. No request waits for it. `used`
 * tells them apart.
 */
export function createUseNotes({ log }: Pick<CoreServices, 'log'>) {
  const underWay = new Set<string>()
  return (used: string, note: () => Promise<void>): void => {
    if (underWay.has(used) || underWay.size >= most) return
    underWay.add(used)
    note()
      .catch((err) => log.warn({ err, used }, 'a use was not noted'))
      .finally(() => underWay.delete(used))
  }
}
