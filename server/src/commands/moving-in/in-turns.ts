/** Calls about single devices that are made at a time: ChirpStack and The Things Stack stand more. */
const width = 8

/** Works the items, some at a time, and returns the results in their order. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const workNext = async () => {
    for (const [index, item] of waiting) {
      signal.throwIfAborted()
      results[index] = await work(item)
    }
  }
  await Promise.all(Array.from({ length: width }, workNext))
  return results
}
