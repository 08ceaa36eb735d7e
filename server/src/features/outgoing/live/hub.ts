import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../../db/connect.ts'
import type { Signals } from '../../../db/signals.ts'
import { createConcurrencyLimit } from '../../../http/concurrency-limit.ts'
import { type Change, changeKinds, readAnnouncement } from '../events/announce.ts'
import {
  findEnds,
  type LogEnd,
  readDownlinks,
  readUplinks,
  selectGrouped,
} from './event-queries.ts'
import { type LoggedEvent, toDownlinkEvent, toUplinkEvent, writeEvent } from './event-record.ts'
import {
  chunkSize,
  type Log,
  mostDownlinks,
  noteAccountChanges,
  noteChanges,
  openLog,
  ping,
  tellChanges,
  tellNews,
} from './log.ts'
import { type Position, readPosition, writePosition } from './position.ts'
import { type Reader, sendEventsTo } from './reader.ts'

/** The logs of the organizations that have readers in this process. */
interface Logs {
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
function createLogs(db: Database, onEmpty: () => void): Logs {
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

/** Uplinks that a reader may have missed. With more it reads its lists again. */
const mostMissed = 10_000

/**
 * Brings a reader from `since` to the position of the log and joins it to the readers there, in one
 * turn of the event loop: no uplink is told twice, and none is left out.
 */
async function catchUp(db: Database, log: Log, reader: Reader, since: Position): Promise<void> {
  const missed = log.position.ordinal - since.ordinal
  if (missed < 0) return reset(log, reader, 'unknown')
  if (missed > mostMissed) return reset(log, reader, 'gap')
  const told = new Set<number>()
  let { ordinal } = reader.filter.kinds.has('uplink') ? since : log.position
  for (;;) {
    const toldTo = await tellUplinks(db, log, reader, { ...since, ordinal })
    if (toldTo === 'gone') return reset(log, reader, 'gap')
    ordinal = toldTo
    const { tellings } = log
    const own = { ordinal, downlink: since.downlink }
    if (!(await tellMissedDownlinks(db, log, reader, { own, told }))) {
      return reset(log, reader, 'gap')
    }
    if (reader.stream.over.aborted) return
    // Nothing was told to the others since.
    const isLevel = ordinal >= log.position.ordinal || !reader.filter.kinds.has('uplink')
    if (isLevel && tellings === log.tellings) return join(log, reader)
  }
}

/** Adds a reader that is at the position of the log. */
function join(log: Log, reader: Reader): void {
  ping(log, reader)
  log.readers.add(reader)
}

/** Tells a reader that it cannot be told what it missed. It goes on from now. */
function reset(log: Log, reader: Reader, reason: 'gap' | 'unknown'): void {
  const id = writePosition(log.organizationId, log.position)
  reader.stream.send(writeEvent('reset', JSON.stringify({ reason }), id))
  join(log, reader)
}

/**
 * Tells the uplinks above a position in pieces, each when the client has taken the one before.
 * Returns `gone` when some of them are deleted: their organization keeps them for a time only.
 */
async function tellUplinks(
  db: Database,
  log: Log,
  reader: Reader,
  from: Position,
): Promise<number | 'gone'> {
  let { ordinal: after } = from
  while (after < log.position.ordinal && !reader.stream.over.aborted) {
    const upTo = Math.min(after + chunkSize, log.position.ordinal)
    const rows = await readUplinks(db, log.organizationId, { after, upTo })
    if (rows.length < upTo - after) return 'gone'
    await tell(db, reader, rows.map(toUplinkEvent), { ...from, ordinal: upTo })
    await reader.stream.taken()
    after = upTo
  }
  return after
}

/**
 * Tells the downlink events that the other readers have and this one may lack. Returns false when
 * they are too many.
 */
async function tellMissedDownlinks(
  db: Database,
  log: Log,
  reader: Reader,
  { own, told }: { own: Position; told: Set<number> },
): Promise<boolean> {
  if (!reader.filter.kinds.has('downlink')) return true
  const range = { after: own.downlink, upTo: Number.MAX_SAFE_INTEGER, most: mostDownlinks }
  const rows = await readDownlinks(db, log.organizationId, range)
  if (rows.length === mostDownlinks) return false
  const isTold = (id: number) => id <= log.position.downlink || log.told.has(id)
  const missed = rows.filter(({ id }) => isTold(id) && !told.has(id))
  for (const { id } of missed) told.add(id)
  const events = missed.map(toDownlinkEvent)
  await tell(db, reader, events, own)
  return true
}

async function tell(
  db: Database,
  reader: Reader,
  events: readonly LoggedEvent[],
  position: Position,
): Promise<void> {
  const { group } = reader.filter
  const ids = [...new Set(events.map(({ device }) => device.device_id))]
  const devices =
    group === undefined || ids.length === 0
      ? new Set<number>()
      : await selectGrouped(db, reader.organizationId, group, ids)
  sendEventsTo(reader, events, new Map([[group ?? 0, devices]]), position)
}

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
  let rounds: ReturnType<typeof startRounds> | undefined
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
      const { opened } = rounds
      const log = await entering
      // From here on no change is missed.
      await opened
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
function startRounds(
  { signals, log }: HubServices,
  logs: Logs,
): { opened: Promise<void>; stop(): void } {
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
    opened: line.opened,
    stop() {
      isOver = true
      clearTimeout(timer)
      clearInterval(pings)
      line.end()
    },
  }
}
