/** Work on things that is done one at a time for each of them. */
export interface Turns<Thing> {
  /** Does the work after all that is under way with the thing. */
  run(thing: Thing, work: () => Promise<void>): Promise<void>
  /** Resolves when nothing is under way. */
  settle(): Promise<void>
}

export function createTurns<Thing>(): Turns<Thing> {
  const busy = new Map<Thing, Promise<void>>()
  return {
    run: (thing, work) => {
      const turn = (busy.get(thing) ?? Promise.resolve()).then(work)
      const settled = turn
        .catch(() => undefined)
        .then(() => {
          if (busy.get(thing) === settled) busy.delete(thing)
        })
      busy.set(thing, settled)
      return turn
    },
    settle: async () => {
      while (busy.size > 0) await Promise.all(busy.values())
    },
  }
}
