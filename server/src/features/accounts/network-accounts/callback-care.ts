import type { Queryable } from '../../../db/connect.ts'
import { networks } from '../../../networks/index.ts'
import type { CallbackState, NetworkConnection } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import { noteFailedCall, noteSuccess } from '../connections/account-health.ts'
import { findById, type StoredAccount } from '../connections/account-queries.ts'
import type { ConnectionServices } from '../connections/connections.ts'
import { callbackOf } from './account-record.ts'
import { tellReach, toRefusalWords } from './callback-entry.ts'
import {
  type CareNote,
  type CareRow,
  checkAllSoon,
  claimDue,
  claimNow,
  findLatestDevice,
  note,
} from './care-queries.ts'

// When the callback of an account is looked at again.

const hourMilliseconds = 60 * 60 * 1000
const dayMilliseconds = 24 * hourMilliseconds
/**
 * A callback that its network may have paused: after so long without an uplink it is looked at, and again
 * so soon after it was freed. With the interval of the job that makes less than 30 s.
 */
const soonMilliseconds = 15_000

/** A day later, less up to an hour at random: that spreads accounts that were due together. */
function tomorrow(now: Date): Date {
  return new Date(now.getTime() + dayMilliseconds - Math.random() * hourMilliseconds)
}

/**
 * The next look at a callback that its network pauses after failures. The pauses between the looks double
 * from the last uplink, or from the look that freed the callback: whatever the rhythm of the devices, only
 * one or two of their uplinks can fail before a look finds it out. While uplinks come, there is no look:
 * their end makes it due (`isQuiet`).
 */
function nextLook(row: Pick<CareRow, 'callbackHeardAt' | 'checkedAt'>, now: Date): Date {
  const since = Math.max(row.callbackHeardAt ?? 0, row.checkedAt ?? 0)
  const isHeard = (row.callbackHeardAt ?? 0) > now.getTime() - soonMilliseconds
  if (isHeard || since === 0) return tomorrow(now)
  const pause = Math.max(soonMilliseconds, 2 * (now.getTime() - since))
  return new Date(Math.min(now.getTime() + pause, tomorrow(now).getTime()))
}

/** The next try to reach a network that may have paused the callback: soon, unless it is long away. */
function nextTry({ callbackHeardAt }: Pick<CareRow, 'callbackHeardAt'>, now: Date): Date {
  const silence = now.getTime() - (callbackHeardAt ?? 0)
  const pause = Math.min(Math.max(soonMilliseconds, silence / 100), hourMilliseconds)
  return new Date(now.getTime() + pause)
}

// Checks the callbacks at the networks, and repairs them.

/** Concurrent tenants, one account of each. */
const treesAtOnce = 4
/** After so many repairs in a day, the owner seems to want it otherwise. */
const mostRepairs = 3
/** Minutes after a start in which all accounts are checked. */
const startMinutes = 10

/** Schedules a check of all accounts soon after a start, and at once where a callback may be paused. */
export function checkAfterStart({
  db,
  now,
}: Pick<ConnectionServices, 'db' | 'now'>): Promise<void> {
  return checkAllSoon(db, { now: now(), minutes: startMinutes, pausing: listPausing() })
}

/** The keys of the networks that pause a callback which keeps failing. */
function listPausing(): string[] {
  return networks
    .filter(({ capabilities: { pausesCallbacks } }) => pausesCallbacks)
    .map(({ key }) => key)
}

/**
 * Checks the callbacks that are due, and repairs them at the networks. An account is due once a day,
 * when its uplinks stop, and when uplinks come only by its broker. One that its network may have paused
 * is due more often while no uplinks come.
 */
export async function careForCallbacks(
  services: ConnectionServices,
  isStopped = () => false,
): Promise<void> {
  const now = services.now()
  const keys = networks.filter(({ capabilities }) => capabilities.callbacks)
  const claim = {
    networks: keys.map(({ key }) => key),
    pausing: listPausing(),
    now,
    next: tomorrow(now),
    most: treesAtOnce,
  }
  const end = performance.now() + turnMilliseconds
  // After a start or an outage, many are due, also of one tenant.
  for (let isMore = true; isMore && performance.now() < end && !isStopped(); ) {
    const claimed = await claimDue(services.db, claim)
    await Promise.all(claimed.map((row) => careFor(services, row)))
    isMore = claimed.length > 0
  }
}

/** The longest time for which one turn goes on to claim. */
const turnMilliseconds = 20_000

/**
 * Checks the callback of one account now, and repairs it: somebody looks at the account, or compares
 * it. Does nothing where the network has no call for it.
 */
export async function careNow(services: ConnectionServices, accountId: number): Promise<void> {
  const now = services.now()
  const row = await claimNow(services.db, { id: accountId, now, next: tomorrow(now) })
  if (row) await careFor(services, row)
}

async function careFor(services: ConnectionServices, row: CareRow): Promise<void> {
  const { db, log, now } = services
  const account = await findById(db, row.id)
  if (!account) return
  const isAway = account.status === 'unreachable'
  const mayBePaused = listPausing().includes(account.network)
  const update = (changes: Partial<CareNote>) => {
    const { message, isLeft } = row
    const repairs = ofLastDay(row, now())
    const next = mayBePaused ? nextLook(row, now()) : tomorrow(now())
    const kept: CareNote = { message, repairs, isLeft, next }
    return note(db, { id: account.id, version: account.updated_at }, { ...kept, ...changes })
  }
  try {
    // The claim respects the pauses of the account.
    const claimed = {
      account_version: account.updated_at,
      is_account_well: !isAway,
      is_awaited: false,
    }
    const connection = await services.connections.open(account.id, claimed)
    await update(await findOut(services, connection, account, row))
    if (isAway) await noteSuccess(services, account.id, connection)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const { message: reason } = error
    if (!isAway) log.warn({ account: account.id, reason }, 'callback not looked after')
    if (error.kind === 'unreachable' || error.kind === 'slow_down') {
      await noteFailedCall(db, account.id, error, now())
      const inAnHour = new Date(now().getTime() + hourMilliseconds)
      return update({ next: mayBePaused ? nextTry(row, now()) : inAnHour })
    }
    // An owner who entered it by hand needs no message.
    const isHeard = (row.callbackHeardAt ?? 0) > now().getTime() - dayMilliseconds
    await update({ message: isHeard ? '' : toRefusalWords(error) })
  }
}

/** Checks an account's callback at its network; returns what to record. */
async function findOut(
  services: ConnectionServices,
  connection: NetworkConnection,
  account: StoredAccount,
  row: CareRow,
): Promise<Partial<CareNote>> {
  const { db, now } = services
  const callback = callbackOf(account, services)
  const found = await connection.readCallback?.(callback)
  if (!found) return {}
  const repairs = ofLastDay(row, now())
  if (found.state === 'unused') return { isLeft: false, message: found.words }
  if (found.state === 'set') {
    const silence: Silence = { account, row, url: callback.url, now: now() }
    const reach = tellReach(callback.url, account.account_fields)
    const words = join(found.words, reach || (await tellSilence(db, connection, silence)))
    const isTold = (repairs.length > 0 && !row.isLeft) || wasJustTold(account, row, now())
    return { isLeft: false, ...(isTold ? {} : { message: words }) }
  }
  const isFought = found.state !== 'paused' && repairs.length >= mostRepairs
  if (isFought || row.isLeft) return { isLeft: true, message: toGivenUpWords(found) }
  const after = await setAgain(connection, callback)
  const message = toRepairWords(found, after)
  if (found.state === 'paused') {
    return { message, next: new Date(now().getTime() + soonMilliseconds) }
  }
  const next = new Date(now().getTime() + hourMilliseconds)
  return { repairs: [...repairs, now().getTime()], message, next }
}

/** Looks that follow soon on one that freed a paused callback leave its message. */
function wasJustTold({ network }: StoredAccount, { message, checkedAt }: CareRow, now: Date) {
  const isSoon = (checkedAt ?? 0) > now.getTime() - hourMilliseconds
  return message !== '' && isSoon && listPausing().includes(network)
}

async function setAgain(
  connection: NetworkConnection,
  callback: Parameters<NonNullable<NetworkConnection['setCallback']>>[0],
): Promise<CallbackState | undefined> {
  await connection.setCallback?.(callback)
  return connection.readCallback?.(callback)
}

function toRepairWords(found: CallbackState, after: CallbackState | undefined): string {
  if (after?.state !== 'set') return join(found.words, 'It could not be set right.')
  return join(found.words, 'The service has set it again.', after?.words ?? '')
}

function toGivenUpWords({ words }: CallbackState): string {
  return join(
    words,
    `The service has set it again ${mostRepairs} times within a day and leaves it as it is now: enter the account again to have it set.`,
  )
}

function ofLastDay({ repairs }: CareRow, now: Date): number[] {
  return repairs.filter((time) => time > now.getTime() - dayMilliseconds)
}

function join(...sentences: string[]): string {
  return sentences.filter((words) => words !== '').join(' ')
}

interface Silence {
  account: StoredAccount
  row: Pick<CareRow, 'callbackHeardAt' | 'brokerHeardAt'>
  /** The address of the callback. */
  url: string
  now: Date
}

/** Allows for uplinks under way and clocks that differ. */
const toleranceMilliseconds = 10 * 60 * 1000

/**
 * Returns a message when no uplinks come to a callback although the broker or the network hears
 * devices. Empty otherwise.
 */
async function tellSilence(
  db: Queryable,
  connection: NetworkConnection,
  { account, row, url, now }: Silence,
): Promise<string> {
  const heardAt = row.callbackHeardAt ?? 0
  if (heardAt > now.getTime() - hourMilliseconds) return ''
  const brokerHeardAt = row.brokerHeardAt ?? 0
  const isAlive = brokerHeardAt > now.getTime() - hourMilliseconds
  if (isAlive && brokerHeardAt > heardAt + toleranceMilliseconds) {
    return `Uplinks come only by MQTT: ${url} may be out of the network's reach.`
  }
  const device = await findLatestDevice(db, account.id)
  if (!device) return ''
  const seenAt = await readLastSeen(connection, device.devEui)
  if (!seenAt || seenAt.getTime() < device.heardAt + toleranceMilliseconds) return ''
  const here = device.isHeard
    ? 'since its last uplink here'
    : 'but none of its uplinks has come here since it was registered'
  return `The network has heard the device ${device.devEui} ${here}: can the network reach ${url}?`
}

async function readLastSeen(
  connection: NetworkConnection,
  devEui: string,
): Promise<Date | undefined> {
  try {
    return await connection.readLastSeen?.(devEui)
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}
