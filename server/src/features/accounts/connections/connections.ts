import { setTimeout } from 'node:timers/promises'
import type { Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { AccountValues, Network, NetworkConnection } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import type { Outside } from '../../../networks/outside.ts'
import type { SpanStart } from '../../../traces/span.ts'
import { noTraces, type Tracer } from '../../../traces/tracer.ts'
import type { CoreServices } from '../../core-services.ts'
import { type AccountStatus, findById, type StoredAccount } from './account-queries.ts'
import { callbackUrlOf } from './callback-secret.ts'
import { type GuardedConnection, withBreaker } from './circuit-breaker.ts'
import { withSubjects } from './error-subject.ts'
import { createPace } from './pace.ts'

/** Whose connection it is; an account that is not stored yet has no id. */
interface Owner {
  network: string
  accountId: number | undefined
}

/** Wraps a connection so that each of its calls is a span, named for the network and the call. */
function withSpans(
  connection: NetworkConnection,
  tracer: Tracer,
  { network, accountId }: Owner,
): NetworkConnection {
  if (!tracer.isOn) return connection
  const attributes = { 'lora.network': network, 'lora.account.id': accountId }
  const begin = (name: string): SpanStart => ({
    name: `${network} ${name}`,
    kind: 'client',
    attributes,
  })
  const { gateways, close, ...calls } = connection
  return {
    ...wrapAll(calls, tracer, begin),
    ...(gateways && { gateways: wrapAll(gateways, tracer, (name) => begin(`gateways.${name}`)) }),
    close: () => close?.(),
  }
}

function wrapAll<Calls extends object>(
  calls: Calls,
  tracer: Tracer,
  begin: (name: string) => SpanStart,
): Calls {
  const wrapped = Object.entries(calls).map(([name, call]) => {
    if (typeof call !== 'function') return [name, call]
    const settle = (args: unknown[]) =>
      tracer.run(begin(name), (span) =>
        Promise.resolve(call.apply(calls, args)).catch((error) => {
          if (error instanceof NetworkError) span.set({ 'lora.network.error': error.kind })
          throw error
        }),
      )
    async function* page(args: unknown[]) {
      const span = tracer.start(begin(name))
      try {
        yield* call.apply(calls, args)
      } catch (error) {
        span.fail(error instanceof NetworkError ? error.kind : 'error')
        throw error
      } finally {
        span.end()
      }
    }
    const isListing = name === 'list' || name === 'listDevices'
    return [name, (...args: unknown[]) => (isListing ? page(args) : settle(args))]
  })
  return Object.fromEntries(wrapped)
}

/** Connections to the networks of accounts. */
export interface NetworkConnections {
  /**
   * Returns the connection of an account, which is kept open. While its network is away, its calls
   * fail at once. This does not apply to claimed work, because a claim already respects the pauses
   * of the account, unless a request waits for the work. Claimed work needs no look-up of the
   * account if its version is still the same. Throws `NetworkError` when the account is gone.
   */
  open(accountId: number, claimed?: ClaimedAccount): Promise<NetworkConnection>
  /**
   * Opens a connection with values that need not be stored, without the guard. It keeps the pace of
   * the account, if there is one. The caller closes it.
   */
  openAnew(
    network: Network,
    values: AccountValues,
    account?: StoredAccount,
  ): Promise<NetworkConnection>
  /** The account's values with its secrets opened. */
  readValues(accountId: number): Promise<AccountValues>
  close(): Promise<void>
}

/** For endpoints and jobs that call networks. */
export interface ConnectionServices extends CoreServices {
  connections: NetworkConnections
}

/** The state of the account when the work was claimed. */
export interface ClaimedAccount {
  /** Changes with the account's values. */
  account_version: string
  /** Whether nothing is known to be wrong with the account. */
  is_account_well: boolean
  /** A request waits for the work, so it is tried even if the account is paused. */
  is_awaited: boolean
}

interface Dependencies {
  db: Queryable
  sealer: Sealer
  outside: Outside
  publicUrl: string
  now(): Date
  tracer?: Tracer
  /** Waits for the turn of a call. */
  sleep?(milliseconds: number): Promise<unknown>
}

export function createConnections({
  db,
  sealer,
  outside,
  publicUrl,
  now,
  tracer = noTraces,
  sleep = setTimeout,
}: Dependencies): NetworkConnections {
  const opened = new Map<number, OpenAccount>()
  const forget = (accountId: number) => {
    const known = opened.get(accountId)
    opened.delete(accountId)
    known?.connection?.then(({ connection }) => connection.close?.()).catch(() => {})
  }
  /** Returns the current account. It is kept in memory until the account changes. */
  const find = async (accountId: number): Promise<OpenAccount> => {
    const account = await findById(db, accountId)
    const known = opened.get(accountId)
    if (account && known?.version === account.updated_at) {
      if (known.status !== account.status) await noteStatusOf(known, account.status)
      return known
    }
    forget(accountId)
    if (!account) throw unusable('The account was removed.')
    const found = {
      network: account.network,
      version: account.updated_at,
      status: account.status,
      values: openValues(account, sealer),
      callbackUrl: callbackUrlOf(publicUrl, account),
    }
    opened.set(accountId, found)
    return found
  }
  const outsideOf = (id: number) => ({ ...outside, pace: createPace({ db, now, sleep }, id) })
  const connect = (id: number, account: OpenAccount): Promise<GuardedConnection> => {
    const network = findNetwork(account.network)
    if (!network) throw unusable('The network is not supported any more.')
    const time = () => now().getTime()
    const { values, callbackUrl } = account
    account.connection ??= network.load().then(({ openConnection }) => {
      const connection = openConnection(values, outsideOf(id), { callbackUrl })
      const traced = withSpans(connection, tracer, { network: network.key, accountId: id })
      return withBreaker(withSubjects(traced, time), time)
    })
    return account.connection
  }
  return {
    async open(accountId, claimed) {
      const kept = opened.get(accountId)
      const isKnown = kept !== undefined && kept.version === claimed?.account_version
      const account = isKnown ? kept : await find(accountId)
      if (claimed)
        await noteStatusOf(account, claimed.is_account_well ? 'connected' : 'unreachable')
      const { connection, guarded } = await connect(accountId, account)
      return claimed && !claimed.is_awaited ? connection : guarded
    },
    async openAnew(network, values, account) {
      const { openConnection } = await network.load()
      const options = account ? { callbackUrl: callbackUrlOf(publicUrl, account) } : {}
      const connection = openConnection(values, account ? outsideOf(account.id) : outside, options)
      const traced = withSpans(connection, tracer, { network: network.key, accountId: account?.id })
      return withSubjects(traced, () => now().getTime())
    },
    readValues: async (accountId) => (await find(accountId)).values,
    async close() {
      for (const accountId of [...opened.keys()]) forget(accountId)
    },
  }
}

function unusable(words: string): NetworkError {
  return new NetworkError('unreachable', words, { about: 'account', isUndone: true })
}

interface OpenAccount {
  network: string
  version: string
  /** Secrets opened. */
  values: AccountValues
  callbackUrl: string
  /** The last known status. */
  status: AccountStatus
  /** Absent until the first call. */
  connection?: Promise<GuardedConnection>
}

/** Ends the pause of the guard when any process has found the network back. */
async function noteStatusOf(account: OpenAccount, status: AccountStatus): Promise<void> {
  const isBack = account.status === 'unreachable' && status === 'connected'
  account.status = status
  if (isBack) (await account.connection)?.reset()
}

/** The account's values with its secrets opened. */
export function openValues(account: StoredAccount, sealer: Sealer): AccountValues {
  const secrets = sealer.open(account.sealed_secrets, sealContext('accountSecrets', account.id))
  return { ...account.account_fields, ...JSON.parse(secrets) }
}
