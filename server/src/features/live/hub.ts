import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../db/connect.ts'
import type { Signals } from '../../db/signals.ts'
import { catchUp, join, reset } from './catch-up.ts'
import { createLogs, type Logs } from './logs.ts'
import { readPosition } from './position.ts'
import type { Reader } from './reader.ts'

/** Tells the readers of live streams in this process what is stored and what changes. */
export interface LiveHub {
  /** Sends what the reader missed since `lastId`; resolves when it hears the rest live. */
  join(reader: Reader, lastId: string | undefined): Promise<void>
  /** Tells nothing more. */
  close(): void
}

interface HubServices {
  db: Database
  signals: Signals
  log: FastifyBaseLogger
}

/** Milliseconds between looks at the ends of the logs, while there are readers. */
const lookInterval = 200
/** Looks between two at the accounts. */
const looksAtAccounts = 10
/** Milliseconds between the signs of life of a stream. */
const pingInterval = 15_000

/**
 * Storing uplinks costs nothing here: no notification and no query. While a process has readers, it
 * looks a few times a second, in one statement, where the logs of their organizations end.
 */
export function createLiveHub(services: HubServices): LiveHub {
  const { db } = services
  let rounds: { stop(): void } | undefined
  const stop = () => {
    rounds?.stop()
    rounds = undefined
  }
  const logs = createLogs(db, stop)
  return {
    async join(reader, lastId) {
      const { organizationId, stream } = reader
      if (stream.over.aborted) return
      const entering = logs.enter(organizationId, stream.over)
      rounds ??= startRounds(services, logs)
      const log = await entering
      stream.over.addEventListener('abort', () => log.readers.delete(reader))
      if (stream.over.aborted) return
      if (lastId === undefined) return join(log, reader)
      const since = readPosition(lastId, organizationId)
      if (!since) return reset(log, reader, 'unknown')
      // Another process may have told more than this one knows.
      if (since.ordinal > log.position.ordinal) await logs.look([log])
      await catchUp(db, log, reader, since)
    },
    close: stop,
  }
}

/** Looks again and again what there is to tell. A database that is away is asked again. */
function startRounds({ signals, log }: HubServices, logs: Logs): { stop(): void } {
  const unlessAway = (work: Promise<void>) =>
    work.catch((err) => log.debug({ err }, 'live events wait'))
  let looks = 0
  const goRound = async () => {
    looks += 1
    if (looks % looksAtAccounts === 0) await logs.noteAccountChanges()
    await logs.tellChanges()
    await logs.look()
  }
  let isOver = false
  let timer: NodeJS.Timeout
  const repeat = () => {
    timer = setTimeout(() => {
      void unlessAway(goRound()).then(() => isOver || repeat())
    }, lookInterval)
  }
  repeat()
  const pings = setInterval(() => void unlessAway(logs.ping()), pingInterval)
  const line = signals.follow(logs.hear)
  return {
    stop() {
      isOver = true
      clearTimeout(timer)
      clearInterval(pings)
      line.end()
    },
  }
}
