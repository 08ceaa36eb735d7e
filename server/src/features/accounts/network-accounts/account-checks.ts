import { setTimeout as delay } from 'node:timers/promises'
import type { CheckedRight, RightFinding } from '../../../networks/capabilities.ts'
import type {
  Callback,
  ListedThing,
  Network,
  NetworkConnection,
} from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import { type Check, checkOf, judgeAccess, noAnswer } from './check-words.ts'

// Finds out what works of an account, without changing anything at its network.

/** For the account's access, and then for everything else together. */
export const stepMilliseconds = 12_000

/** What is tried. */
export interface Trial {
  network: Network
  connection: NetworkConnection
  /** The callback of a stored account. */
  callback: Callback | undefined
  /** Tries the login at the account's broker; undefined where it names none. */
  probeBroker: (() => Promise<void>) | undefined
}

/** The checks, and the error of the account, if it has one, for its status. */
export interface TrialResult {
  checks: Check[]
  fault: NetworkError | undefined
}

export async function tryAccount(trial: Trial): Promise<TrialResult> {
  const { network, connection } = trial
  const fault = await failureOf(connection.check())
  const access = judgeAccess(network, fault)
  const isUsable = access.every(({ ok }) => ok)
  const rights = isUsable ? await checkRights(trial) : []
  const broker = trial.probeBroker ? [await checkBroker(trial.probeBroker)] : []
  return { checks: [...access, ...rights, ...broker], fault }
}

async function checkRights(trial: Trial): Promise<Check[]> {
  const { network, connection } = trial
  const findings = connection.readRights
    ? await within(connection.readRights()).catch(toUnknown)
    : undefined
  const found = new Map((findings ?? []).map((finding) => [finding.right, finding]))
  const { capabilities: can } = network
  const list = (right: CheckedRight, pages: () => AsyncIterable<ListedThing[]> | undefined) =>
    checkList(network, right, found.get(right), pages)
  const checks = await Promise.all([
    can.lists?.includes('devices') && list('list_devices', () => connection.listDevices?.()),
    can.registration === 'api' && checkWriting(network, 'create_devices', found),
    can.lists?.includes('gateways') && list('list_gateways', () => connection.gateways?.list?.()),
    can.gateways && checkWriting(network, 'create_gateways', found),
    can.downlinks === 'pushed' && checkWriting(network, 'downlinks', found),
    checkCallback(trial, found.get('callback')),
  ])
  return checks.filter((check) => typeof check === 'object')
}

/** A right to read is tried by reading the first page. */
async function checkList(
  network: Network,
  right: CheckedRight,
  finding: RightFinding | undefined,
  pages: () => AsyncIterable<ListedThing[]> | undefined,
): Promise<Check> {
  if (finding && finding.missing.length > 0) return checkOf.missing(right, finding.missing)
  const failure = await failureOf(readFirst(pages()))
  return failure ? checkOf.failure(network, right, failure) : checkOf.success(right)
}

async function readFirst(pages: AsyncIterable<ListedThing[]> | undefined): Promise<void> {
  for await (const _page of pages ?? []) return
}

/** A right to write is known only where the network tells the rights of a key. */
function checkWriting(
  { name, capabilities: { rights } }: Network,
  right: CheckedRight,
  found: ReadonlyMap<CheckedRight, RightFinding>,
): Check | undefined {
  const finding = found.get(right)
  if (finding?.missing.length === 0) return checkOf.success(right)
  if (finding) return checkOf.missing(right, finding.missing)
  // Where rights are not told apart, an account that may read may write.
  return rights ? checkOf.unknown(right, `${name} tells this only when it is tried.`) : undefined
}

async function checkCallback(
  { network, connection, callback }: Trial,
  finding: RightFinding | undefined,
): Promise<Check> {
  if (finding && finding.missing.length > 0) return checkOf.missing('callback', finding.missing)
  if (!network.capabilities.callbacks) {
    return checkOf.unknown('callback', `${network.name} has no call for it: enter it by hand.`)
  }
  const read = connection.readCallback
  if (!callback || !read) {
    return checkOf.unknown('callback', 'The service enters it when the account is saved.')
  }
  try {
    const { state, words } = await within(read(callback))
    const isSet = state === 'set' || state === 'unused'
    return isSet ? checkOf.success('callback', words) : checkOf.lostCallback(words)
  } catch (error) {
    return checkOf.failure(network, 'callback', toNetworkError(error))
  }
}

async function checkBroker(probe: () => Promise<void>): Promise<Check> {
  const failure = await failureOf(probe())
  return failure ? checkOf.brokerFailure(failure) : checkOf.success('mqtt')
}

async function failureOf(work: Promise<unknown>): Promise<NetworkError | undefined> {
  try {
    await within(work)
    return undefined
  } catch (error) {
    return toNetworkError(error)
  }
}

export function toNetworkError(error: unknown): NetworkError {
  if (error instanceof NetworkError) return error
  throw error
}

function toUnknown(error: unknown): undefined {
  toNetworkError(error)
}

/** Throws a `NetworkError` when the work takes too long. What it began may go on for a while. */
export async function within<T>(work: Promise<T>): Promise<T> {
  const end = new AbortController()
  const late = delay(stepMilliseconds, undefined, { signal: end.signal }).then(() => {
    throw noAnswer(stepMilliseconds / 1000)
  })
  // The loser of the race may reject later.
  work.catch(() => undefined)
  late.catch(() => undefined)
  return Promise.race([work, late]).finally(() => end.abort())
}
