import type { Database, Listening, Queryable } from './connect.ts'

/** Wakes those who wait for something that this or another process does in the database. */
export interface Signals {
  /** Wakes who waits for the topic. What they look for is committed by now. */
  tell(topic: string): void
  /**
   * Gives what `look` finds: at once, or when the topic was told of; undefined when nothing was
   * found for so many milliseconds.
   */
  waitFor<T>(
    topic: string,
    look: () => Promise<T | undefined>,
    milliseconds: number,
  ): Promise<T | undefined>
}

const channel = 'console_signals'
/** A signal is lost with its connection, and where a pooler gives each statement another one. */
const longestSilence = 1000

/**
 * Wakes who waits for the topic, when the transaction is committed. Commits that notify come one
 * after the other, each with its flush to the disk (async.c, PreCommit_Notify): where many do so at
 * once, `Signals.tell` after the commit is the better one.
 */
export async function tell(db: Queryable, topic: string): Promise<void> {
  await db.query('select pg_notify($1, $2)', [channel, topic])
}

/** It takes one connection of the pool, while somebody waits. */
export function createSignals(db: Database): Signals {
  const waiting = new Map<string, Set<() => void>>()
  let waiters = 0
  let listening: Promise<Listening | undefined> | undefined

  const hear = (topic: string) => {
    for (const wake of waiting.get(topic) ?? []) wake()
  }
  /** Without one it is looked as often as the longest silence says. */
  const listen = async () => {
    const line = await db.listen(channel, hear).catch(() => undefined)
    // What was told before it listened was not heard.
    if (line) for (const topic of waiting.keys()) hear(topic)
    return line
  }
  /** Of one turn of the event loop, for the other processes. */
  const told = new Set<string>()
  const notify = () => {
    const topics = [...told]
    told.clear()
    // One that is lost is found by looking.
    db.query('select pg_notify($1, topic) from unnest($2::text[]) as topic', [
      channel,
      topics,
    ]).catch(() => undefined)
  }
  const leave = () => {
    waiters -= 1
    if (waiters > 0) return
    void listening?.then((line) => line?.end())
    listening = undefined
  }
  return {
    tell(topic) {
      hear(topic)
      if (told.size === 0) setImmediate(notify)
      told.add(topic)
    },
    async waitFor(topic, look, milliseconds) {
      const giveUpAt = performance.now() + milliseconds
      const known = await look()
      if (known !== undefined) return known
      waiters += 1
      listening ??= listen()
      try {
        for (;;) {
          // From here on, so that nothing is told between the look and the wait.
          const signal = expect(waiting, topic)
          const found = await look().catch((error) => {
            signal.end()
            throw error
          })
          const rest = giveUpAt - performance.now()
          if (found === undefined && rest > 0) await signal.within(Math.min(rest, longestSilence))
          signal.end()
          if (found !== undefined || rest <= 0) return found
        }
      } finally {
        leave()
      }
    },
  }
}

/** A signal that may come already while nobody waits for it. */
function expect(waiting: Map<string, Set<() => void>>, topic: string) {
  const { promise: told, resolve } = Promise.withResolvers<void>()
  const others = waiting.get(topic) ?? new Set()
  waiting.set(topic, others.add(resolve))
  return {
    async within(milliseconds: number): Promise<void> {
      let timer: NodeJS.Timeout | undefined
      const over = new Promise<void>((end) => {
        timer = setTimeout(end, milliseconds)
      })
      await Promise.race([told, over])
      clearTimeout(timer)
    },
    end() {
      others.delete(resolve)
      if (others.size === 0 && waiting.get(topic) === others) waiting.delete(topic)
    },
  }
}
