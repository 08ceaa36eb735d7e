/** Work in the background of this process, for which tenants take turns, and in each its organizations. */
export interface TenantTurns {
  /** Looks for work, and does it. */
  wake(): void
  /** Waits until there is no more to do now, or the work failed. */
  idle(): Promise<void>
  /** Begins no more, and waits until nothing is in progress. */
  close(): Promise<void>
}

interface TenantTurnsOptions<Item> {
  list(): Promise<Item[]>
  /** One item with this key is in progress at a time. */
  keyOf(item: Item): string | number
  /** Items at once. */
  parallelism: number
  /** Milliseconds for which a list serves further items, where asking again costs more than the work; 0 without. */
  freshFor?: number
  /** Whether the limits of its tenant let it begin while others are in progress. */
  mayBegin(item: Item, busy: readonly Item[]): boolean
  /** Resolves to whether there may be more to do. */
  work(item: Item, isClosed: () => boolean): Promise<boolean>
  reportFailure(error: unknown): void
}

export function createTenantTurns<Item extends { tenant_id: number; organization_id: number }>(
  options: TenantTurnsOptions<Item>,
): TenantTurns {
  const { list, keyOf, parallelism, freshFor = 0, mayBegin, work, reportFailure } = options
  const busy = new Map<string | number, { item: Item; done: Promise<void> }>()
  /** When each tenant and organization last had a turn, by a counter. */
  const turns = new Map<string, number>()
  let turn = 0
  let isClosed = false
  let looking: Promise<void> | undefined
  let isAskedAgain = false

  const begin = (item: Item) => {
    const key = keyOf(item)
    turn += 1
    for (const party of partiesOf(item)) turns.set(party, turn)
    const done = work(item, () => isClosed)
      .then((mayHaveMore) => {
        if (mayHaveMore) wake()
      })
      .catch(reportFailure)
      .finally(() => busy.delete(key))
    busy.set(key, { item, done })
  }
  const lookOnce = async () => {
    const found = isClosed ? [] : await list()
    const parties = new Set(found.flatMap(partiesOf))
    for (const known of [...turns.keys()]) if (!parties.has(known)) turns.delete(known)
    const last = (item: Item) => partiesOf(item).map((party) => turns.get(party) ?? 0)
    found.sort((one, other) => compare(last(one), last(other)))
    const oldAt = performance.now() + freshFor
    for (const item of found) {
      while (!isClosed && busy.size >= parallelism && performance.now() < oldAt) {
        await Promise.race([...busy.values()].map(({ done }) => done))
      }
      if (isClosed || busy.size >= parallelism) return
      const others = [...busy.values()].map((each) => each.item)
      if (!busy.has(keyOf(item)) && mayBegin(item, others)) begin(item)
    }
  }
  const look = async () => {
    try {
      do {
        isAskedAgain = false
        await lookOnce()
      } while (isAskedAgain)
    } catch (error) {
      reportFailure(error)
    } finally {
      // Set at once: a `wake` between the last check and this line would be lost.
      looking = undefined
    }
  }
  const wake = () => {
    isAskedAgain = true
    if (!isClosed) looking ??= look()
  }
  const idle = async () => {
    while (looking || busy.size > 0) {
      await Promise.all([looking, ...[...busy.values()].map(({ done }) => done)])
    }
  }
  return {
    wake,
    idle,
    async close() {
      isClosed = true
      await idle()
    },
  }
}

/** The tenant of an item, and its organization. */
function partiesOf(item: { tenant_id: number; organization_id: number }): string[] {
  return [`tenant ${item.tenant_id}`, `organization ${item.organization_id}`]
}

function compare([one = 0, ...rest]: number[], [other = 0, ...others]: number[]): number {
  return one - other || (rest.length > 0 ? compare(rest, others) : 0)
}
