import type { FastifyBaseLogger } from 'fastify'
import type { Database, Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { AccountValues, Callback, Network } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import type { Outside } from '../../../networks/outside.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import { callbackOf } from './account-record.ts'
import { checkSoon, forget, isEntered } from './care-queries.ts'
import * as queries from './withdrawal-queries.ts'

/** After this time a network that is still away keeps the callback. */
const patienceMilliseconds = 3 * 24 * 60 * 60 * 1000
/** Concurrent tenants. */
const treesAtOnce = 4

interface Leaving {
  tx: Queryable
  sealer: Sealer
  publicUrl: string
  now(): Date
}

/**
 * Queues the removal of the callback from the account's former place, when the account moves or
 * ends.
 */
export async function leaveCallback(
  { tx, sealer, publicUrl, now }: Leaving,
  account: StoredAccount,
  { former, next }: { former: AccountValues; next: AccountValues | undefined },
): Promise<void> {
  const network = findNetwork(account.network)
  const place = placeOf(network, former)
  const nextPlace = next && placeOf(network, next)
  if (nextPlace !== undefined) await queries.cancel(tx, account.id, nextPlace)
  if (place === nextPlace) return
  const wasEntered = await isEntered(tx, account.id)
  await forget(tx, account.id, now())
  if (!wasEntered || !network?.capabilities.callbacks) return
  const id = await queries.insert(tx, {
    organizationId: account.organization_id,
    accountId: account.id,
    network: account.network,
    place,
    now: now(),
  })
  const content: Content = { values: former, callback: callbackOf(account, { sealer, publicUrl }) }
  await queries.seal(
    tx,
    id,
    sealer.seal(JSON.stringify(content), sealContext('callbackWithdrawal', id)),
  )
}

interface Content {
  values: AccountValues
  callback: Callback
}

interface Dependencies {
  db: Database
  sealer: Sealer
  log: FastifyBaseLogger
  outside: Outside
  now(): Date
}

/** Removes the former callbacks of an account, as far as possible now. */
export async function withdrawNow(dependencies: Dependencies, accountId: number): Promise<void> {
  const { db, now } = dependencies
  const claimed = await queries.claimOfAccount(db, accountId, now())
  for (const withdrawal of claimed) await withdraw(dependencies, withdrawal)
}

/** Removes former callbacks that are due, a few of each tenant at a time. */
export async function withdrawDue(dependencies: Dependencies): Promise<void> {
  const { db, log, now } = dependencies
  const time = now()
  const old = await queries.removeOld(db, new Date(time.getTime() - patienceMilliseconds))
  for (const { network } of old) log.warn({ network }, 'callback left at the network')
  const claimed = await queries.claimDue(db, { now: time, most: treesAtOnce })
  await Promise.all(claimed.map((withdrawal) => withdraw(dependencies, withdrawal)))
}

async function withdraw(
  { db, sealer, log, outside, now }: Dependencies,
  { id, account_id, network, sealed_callback }: queries.Withdrawal,
): Promise<void> {
  const found = findNetwork(network)
  if (!found) return
  const content: Content = JSON.parse(
    sealer.open(sealed_callback, sealContext('callbackWithdrawal', id)),
  )
  const { values, callback } = content
  const { openConnection } = await found.load()
  const connection = openConnection(values, outside, { callbackUrl: callback.url })
  try {
    await connection.removeCallback?.(callback)
    await queries.remove(db, id)
    // Two names may mean one place, where the callback is missing now.
    await checkSoon(db, account_id, now())
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    log.warn({ account: account_id, reason: error.message }, 'callback not removed')
  } finally {
    connection.close?.()
  }
}

/** The place of the callback of an account with these values. */
function placeOf(network: Network | undefined, values: AccountValues): string {
  const names = network?.callbackPlace ?? []
  return JSON.stringify(names.map((name) => values[name] ?? ''))
}
