import type { Database } from '../../../db/connect.ts'
import type { Change } from '../events/announce.ts'
import {
  findEnds,
  findSettled,
  type LogEnd,
  readAccountMarks,
  readDownlinks,
  readUplinks,
  selectGrouped,
} from './event-queries.ts'
import {
  type LoggedEvent,
  toDownlinkEvent,
  toUplinkEvent,
  writeChange,
  writeEvent,
} from './event-record.ts'
import { type Position, writePosition } from './position.ts'
import { type GroupedDevices, type Reader, sendEventsTo, wantsChange } from './reader.ts'

/** The network accounts of an organization, each with a mark that changes with its state. */
type AccountMarks = ReadonlyMap<number, { network: string; mark: string }>

async function readMarks(
  db: Database,
  organizations: readonly number[],
): Promise<Map<number, AccountMarks>> {
  const byOrganization = new Map(
    organizations.map((id) => [id, new Map<number, { network: string; mark: string }>()]),
  )
  for (const { organization_id, id, ...account } of await readAccountMarks(db, organizations)) {
    byOrganization.get(organization_id)?.set(id, account)
  }
  return byOrganization
}

/** The accounts that were made, changed or removed between two looks, by their networks. */
function compareMarks(before: AccountMarks, after: AccountMarks): Change[] {
  const ids = new Set([...before.keys(), ...after.keys()])
  return [...ids].flatMap((id): Change[] => {
    const [one, other] = [before.get(id), after.get(id)]
    const network = (other ?? one)?.network
    if (one?.mark === other?.mark || network === undefined) return []
    return [{ kind: 'account', id: network }]
  })
}

/** Uplinks of one query: a few milliseconds of the database, and one short turn of the event loop. */
export const chunkSize = 500
/** Downlink events of one query. */
export const mostDownlinks = 1000

/** The log of an organization that has readers in this process. It is read once for all of them. */
export interface Log {
  organizationId: number
  /** How far the readers in `readers` are. */
  position: Position
  /** Downlink events above `position.downlink` that the readers have. */
  told: Set<number>
  /** Grows whenever downlink events are told. */
  tellings: number
  readers: Set<Reader>
  /** Changes since the last look, by kind and id. */
  changes: Map<string, Change>
  accounts: AccountMarks
  isReading: boolean
}

/** Begins at the end of the organization's log. */
export async function openLog(db: Database, organizationId: number): Promise<Log> {
  const downlink = await findSettled(db, organizationId)
  const [end] = await findEnds(db, [{ id: organizationId, downlink }])
  const accounts = await readMarks(db, [organizationId])
  return {
    organizationId,
    position: { ordinal: end?.uplink_count ?? 0, downlink },
    told: new Set(end?.downlinks),
    tellings: 0,
    readers: new Set(),
    changes: new Map(),
    accounts: accounts.get(organizationId) ?? new Map(),
    isReading: false,
  }
}

/** Tells the readers what was stored since the last look. */
export async function tellNews(db: Database, log: Log, end: LogEnd): Promise<void> {
  while (log.position.ordinal < end.uplink_count) {
    const after = log.position.ordinal
    const upTo = Math.min(after + chunkSize, end.uplink_count)
    const isWanted = [...log.readers].some(({ filter }) => filter.kinds.has('uplink'))
    const rows = isWanted ? await readUplinks(db, log.organizationId, { after, upTo }) : []
    const events = rows.map(toUplinkEvent)
    const grouped = await findGrouped(db, log, events)
    log.position = { ...log.position, ordinal: upTo }
    for (const reader of log.readers) sendEventsTo(reader, events, grouped, log.position)
  }
  await tellDownlinks(db, log, end)
}

async function tellDownlinks(db: Database, log: Log, end: LogEnd): Promise<void> {
  const news = end.downlinks.filter((id) => id > log.position.downlink && !log.told.has(id))
  if (news.length > 0) {
    const range = { after: (news[0] ?? 0) - 1, upTo: news.at(-1) ?? 0, most: mostDownlinks }
    const rows = await readDownlinks(db, log.organizationId, range)
    const events = rows.filter(({ id }) => !log.told.has(id)).map(toDownlinkEvent)
    const grouped = await findGrouped(db, log, events)
    log.tellings += 1
    for (const { id } of rows) log.told.add(id)
    for (const reader of log.readers) sendEventsTo(reader, events, grouped, log.position)
  }
  // More events in a minute than one look takes count as settled, so that the next ones are seen.
  const isFull = end.downlinks.length >= mostDownlinks
  const settled = isFull ? end.downlinks.at(-1) : end.settled
  if (!settled || settled <= log.position.downlink) return
  log.position = { ...log.position, downlink: settled }
  for (const id of log.told) if (id <= settled) log.told.delete(id)
}

/** Finds the devices of the events in each group that a reader asks for. */
async function findGrouped(
  db: Database,
  log: Log,
  events: readonly LoggedEvent[],
): Promise<GroupedDevices> {
  const found = new Map<number, ReadonlySet<number>>()
  const ids = [...new Set(events.map(({ device }) => device.device_id))]
  // Readers may come during a query, so the groups are collected again after it.
  for (;;) {
    const groups = [...log.readers].flatMap(({ filter }) => filter.group ?? [])
    const next = ids.length > 0 ? groups.find((id) => !found.has(id)) : undefined
    if (next === undefined) return found
    found.set(next, await selectGrouped(db, log.organizationId, next, ids))
  }
}

/** Tells the readers of the changes since the last look, each once. */
export function tellChanges(log: Log): void {
  if (log.changes.size === 0) return
  const changes = [...log.changes.values()]
  log.changes.clear()
  for (const { filter, stream } of log.readers) {
    const wanted = changes.filter((change) => wantsChange(filter, change))
    if (wanted.length > 0) stream.send(wanted.map(writeChange).join(''))
  }
}

/** Notes which accounts have changed. Many places write their state, so it is compared. */
export async function noteAccountChanges(db: Database, logs: readonly Log[]): Promise<void> {
  const marks = await readMarks(
    db,
    logs.map(({ organizationId }) => organizationId),
  )
  for (const log of logs) {
    const accounts = marks.get(log.organizationId) ?? new Map()
    noteChanges(log, compareMarks(log.accounts, accounts))
    log.accounts = accounts
  }
}

export function noteChanges(log: Log, changes: readonly Change[]): void {
  for (const change of changes) log.changes.set(`${change.kind} ${change.id}`, change)
}

/** Tells one reader how far it is. It also shows that the connection works. */
export function ping(log: Log, reader: Reader): void {
  const id = writePosition(log.organizationId, log.position)
  reader.stream.send(writeEvent('ping', JSON.stringify({ time: new Date().toISOString() }), id))
}
