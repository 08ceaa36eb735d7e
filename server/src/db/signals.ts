import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Listening, Queryable } from './connect.ts'

/** Wakes waiters for something that this or another process does in the database. */
export interface Signals {
  /** Wakes the waiters for the topic. Call it after the commit that they wait for. */
  tell(topic: string): void
  /**
   * Returns what `look` finds, at once or after a signal of the topic; undefined when it has found
   * nothing for so many milliseconds.
   */
  waitFor<T>(
    topic: string,
    look: () => Promise<T | undefined>,
    milliseconds: number,
  ): Promise<T | undefined>
  /**
   * Calls `hear` with the topic of every signal of all processes until `end` is called, and without
   * a topic when signals may have been lost. `opened` resolves when it hears them, or could not yet.
   */
  follow(hear: (topic: string | undefined) => void): { opened: Promise<void>; end(): void }
}

const channel = 'console_signals'
/** Is told once a signal could not be told. */
const lost = ''
/** Milliseconds between looks without a signal: signals are lost with their connection. */
const longestSilence = 1000
const unref = { ref: false }

/** Does not wait for the disk: a crash loses only the signal. */
const notification = `select pg_notify($1, topic)
  from (select set_config('synchronous_commit', 'off', true)) as setting
  cross join unnest($2::text[]) as topic`

/**
 * Wakes the waiters for the topic when the transaction commits. Commits that notify run one after the
 * other, each with its flush to the disk (async.c, PreCommit_Notify). Where many do so at once, use
 * `Signals.tell` after the commit.
 */
export async function tell(db: Queryable, topic: string): Promise<void> {
  await db.query('select pg_notify($1, $2)', [channel, topic])
}

/** Takes one connection of the pool while there are waiters or followers. */
export function createSignals(db: Database): Signals {
  const waiting = new Map<string, Set<() => void>>()
  const followers = new Set<(topic: string | undefined) => void>()
  /** Those who wait for `opened`, and so miss nothing. */
  const fresh = new Set<(topic: string | undefined) => void>()
  const hear = (topic: string) => {
    for (const wake of waiting.get(topic) ?? []) wake()
  }
  const hearFromDatabase = (topic: string) => {
    hear(topic)
    for (const follower of followers) follower(topic === lost ? undefined : topic)
  }
  /** Without a connection, waiters look once per `longestSilence`. */
  const { enter, leave } = createSharedLine(async () => {
    const line = await db.listen(channel, hearFromDatabase).catch(() => undefined)
    // Signals from before are lost.
    if (line) for (const topic of waiting.keys()) hear(topic)
    if (line) for (const follower of followers) if (!fresh.has(follower)) follower(undefined)
    return line
  })
  const tellProcesses = createTeller(db)
  return {
    tell(topic) {
      hear(topic)
      tellProcesses(topic)
    },
    async waitFor(topic, look, milliseconds) {
      const giveUpAt = performance.now() + milliseconds
      const known = await look()
      if (known !== undefined) return known
      void enter()
      try {
        for (;;) {
          // Made before the look, so that no signal is lost between the look and the wait.
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
    follow(hearTopic) {
      followers.add(hearTopic)
      fresh.add(hearTopic)
      const opened = enter().then(() => void fresh.delete(hearTopic))
      return {
        opened,
        end() {
          if (followers.delete(hearTopic)) leave()
        },
      }
    },
  }
}

/** Tells all processes of a topic, together with the others of this turn of the event loop. */
function createTeller(db: Database): (topic: string) => void {
  const told = new Set<string>()
  let retry: NodeJS.Timeout | undefined
  const notify = () => {
    clearTimeout(retry)
    const topics = [...told]
    if (topics.length === 0) return
    told.clear()
    // Waiters look by themselves. Followers of all processes are told that they missed something.
    db.query(notification, [channel, topics]).catch(() => {
      told.add(lost)
      clearTimeout(retry)
      retry = setTimeout(notify, longestSilence).unref()
    })
  }
  return (topic) => {
    if (told.size === 0) setImmediate(notify)
    told.add(topic)
  }
}

/** A connection that is open while somebody uses it. */
function createSharedLine(open: () => Promise<Listening | undefined>) {
  let users = 0
  let listening: Promise<Listening | undefined> | undefined
  const listen = (): Promise<Listening | undefined> => {
    const opening = open()
    listening = opening
    // A lost connection is replaced. A missing one is tried again a moment later.
    const isOver = opening.then((line) => line?.over ?? sleep(longestSilence, undefined, unref))
    void isOver.then(() => {
      if (listening === opening) void listen()
    })
    return opening
  }
  return {
    /** Resolves when the connection is open, or could not be opened. */
    async enter(): Promise<void> {
      users += 1
      await (listening ?? listen())
    },
    leave(): void {
      users -= 1
      if (users > 0) return
      void listening?.then((line) => line?.end())
      listening = undefined
    },
  }
}

/** Catches signals of the topic from now on, also before `within` waits for one. */
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
