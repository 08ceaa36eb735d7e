/** Runs only one work at a time for each thing. */
export interface Turns<Thing> {
  /** Runs the work after all earlier work on the thing. */
  run(thing: Thing, work: () => Promise<void>): Promise<void>
  /** Resolves when no work is left. */
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
