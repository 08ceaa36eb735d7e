import type { Database } from '../../db/connect.ts'
import { createConcurrencyLimit } from '../../http/concurrency-limit.ts'
import { type Change, changeKinds, readAnnouncement } from '../events/announce.ts'
import { findEnds, type LogEnd } from './event-queries.ts'
import {
  type Log,
  noteAccountChanges,
  noteChanges,
  openLog,
  ping,
  tellChanges,
  tellNews,
} from './log.ts'

/** The logs of the organizations that have readers in this process. */
export interface Logs {
  /** Opens the log until `over`, or takes the open one. */
  enter(organizationId: number, over: AbortSignal): Promise<Log>
  /** Tells the readers of these logs what was stored; of all logs without a list. */
  look(some?: readonly Log[]): Promise<void>
  tellChanges(): Promise<void>
  noteAccountChanges(): Promise<void>
  /** Notes what a signal announces. */
  hear(topic: string | undefined): void
  ping(): Promise<void>
}

/** Logs that are read at once: the others wait, so that requests find connections. */
const logsAtOnce = 2

/** `onEmpty` is called when the last reader has left. */
export function createLogs(db: Database, onEmpty: () => void): Logs {
  /** With the number of readers that use the log, joined or not. */
  const open = new Map<number, { opened: Promise<Log>; users: number }>()
  const limit = createConcurrencyLimit({ atOnce: logsAtOnce, waiting: Number.POSITIVE_INFINITY })
  const listAll = () => Promise.all([...open.values()].map(({ opened }) => opened))

  return {
    enter(organizationId, over) {
      const entry = open.get(organizationId) ?? { opened: openLog(db, organizationId), users: 0 }
      open.set(organizationId, entry)
      entry.users += 1
      over.addEventListener('abort', () => {
        entry.users -= 1
        if (entry.users === 0 && open.get(organizationId) === entry) open.delete(organizationId)
        if (open.size === 0) onEmpty()
      })
      // A log that could not be opened is opened again for the next reader.
      entry.opened.catch(() => open.get(organizationId) === entry && open.delete(organizationId))
      return entry.opened
    },
    look: async (some) => lookAt(db, some ?? (await listAll()), limit),
    async tellChanges() {
      for (const log of await listAll()) tellChanges(log)
    },
    noteAccountChanges: async () => noteAccountChanges(db, await listAll()),
    hear(topic) {
      const { organizationId, changes } = readChanges(topic)
      for (const [id, { opened }] of open) {
        if (organizationId !== undefined && id !== organizationId) continue
        void opened.then(
          (log) => noteChanges(log, changes),
          () => undefined,
        )
      }
    },
    async ping() {
      for (const log of await listAll()) for (const reader of log.readers) ping(log, reader)
    },
  }
}

async function lookAt(
  db: Database,
  logs: readonly Log[],
  limit: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const asked = logs.map(({ organizationId: id, position }) => ({ id, ...position }))
  const ends = new Map((await findEnds(db, asked)).map((end) => [end.organization_id, end]))
  const tell = async (log: Log, end: LogEnd) => {
    if (log.isReading) return
    log.isReading = true
    await limit(() => tellNews(db, log, end)).finally(() => {
      log.isReading = false
    })
  }
  await Promise.all(
    logs.map(async (log) => {
      const end = ends.get(log.organizationId)
      if (end) await tell(log, end)
    }),
  )
}

/** Without a topic, signals were lost: in each organization, each kind may have changed. */
function readChanges(topic: string | undefined): {
  organizationId?: number
  changes: readonly Change[]
} {
  if (topic === undefined) return { changes: changeKinds.map((kind) => ({ kind })) }
  const announced = readAnnouncement(topic)
  if (!announced) return { changes: [] }
  return { organizationId: announced.organizationId, changes: [announced.change] }
}
