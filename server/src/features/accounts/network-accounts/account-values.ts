import type { FastifyBaseLogger } from 'fastify'
import type { Database, Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import { tell } from '../../../db/signals.ts'
import { type FieldErrors, invalid, unavailable } from '../../../http/errors.ts'
import { isStorable } from '../../../http/fields.ts'
import { findAccountFaults } from '../../../networks/account-fields.ts'
import { isSameSession } from '../../../networks/mqtt/broker.ts'
import type { AccountValues, Network } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import { brokersTopic } from '../../../uplinks/brokers/broker-health.ts'
import { leaveSession } from '../../../uplinks/brokers/ending-sessions.ts'
import { noteAnswered, noteFailedCheck } from '../connections/account-health.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { hashOfSecret, newCallbackSecret } from '../connections/callback-secret.ts'
import { type NetworkConnections, openValues } from '../connections/connections.ts'
import { leaveCallback } from './callback-withdrawal.ts'
import { checkSoon } from './care-queries.ts'

const longestValue = 4096
/** Every retry needs a request that removes the account in the same millisecond. */
const mostTries = 5

/** Throws the 422 with all faults. */
export function requireValues(
  network: Network,
  body: Record<string, unknown>,
  known: AccountValues,
): AccountValues {
  const { values, errors } = readValues(network, body, known)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return values
}

/** The fields that name the servers to which secrets are sent. */
const addressFields = new Set(['server', 'cluster', 'identity_server', 'region', 'mqtt_url'])

/**
 * Reads the network's fields from a request and ignores other members. A secret that is left out
 * keeps its value, unless an address changes: otherwise a member could have the secret sent to
 * another server.
 */
export function readValues(
  network: Network,
  body: Record<string, unknown>,
  known: AccountValues,
): { values: AccountValues; errors: FieldErrors } {
  const values: AccountValues = {}
  const errors: FieldErrors = {}
  const isMoved = network.accountFields.some(
    ({ name }) => addressFields.has(name) && (body[name] || undefined) !== known[name],
  )
  for (const { name, label, required, secret } of network.accountFields) {
    const sent = body[name] ?? (secret && !isMoved ? known[name] : undefined)
    if (sent === undefined || sent === null || sent === '') {
      if (required) errors[name] = [`The ${label} field is required.`]
    } else if (typeof sent !== 'string') errors[name] = [`The ${label} must be a string.`]
    else if (sent.length > longestValue || !isStorable(sent)) {
      errors[name] = [`The ${label} is invalid.`]
    } else values[name] = sent
  }
  if (Object.keys(errors).length > 0) return { values, errors }
  const mistakes = Object.entries(findAccountFaults(network, values))
  return { values, errors: Object.fromEntries(mistakes.map(([name, words]) => [name, [words]])) }
}

interface Storage {
  db: Database
  sealer: Sealer
  log: FastifyBaseLogger
  publicUrl: string
  now(): Date
}

interface AccountTarget {
  organizationId: number
  network: string
  registerMethod: accountQueries.RegisterMethod
  /** Records in the same transaction which member has changed it. */
  record?: (tx: Queryable) => Promise<void>
}

/** Creates or changes the account with sealed secrets, and returns its id. Its callback stays. */
export function saveAccount(
  storage: Storage,
  { organizationId, network: key, registerMethod, record }: AccountTarget,
  network: Network,
  values: AccountValues,
): Promise<number> {
  const { db, sealer, now } = storage
  const secret = newCallbackSecret()
  const hash = hashOfSecret(secret)
  return db.transaction(async (tx) => {
    const account = { network: key, registerMethod, callbackHash: hash }
    const { id, isNew } = await insertOrFind(tx, organizationId, account)
    if (isNew) {
      await accountQueries.setCallbackSecret(
        tx,
        id,
        sealer.seal(secret, sealContext('callbackSecret', id)),
      )
    } else await leaveFormer({ ...storage, tx }, id, network, values)
    const [open, secrets] = split(network, values)
    await accountQueries.setValues(tx, id, {
      accountFields: open,
      sealedSecrets: sealer.seal(JSON.stringify(secrets), sealContext('accountSecrets', id)),
    })
    // A caller that does not enter the callback at once leaves it to the background.
    await checkSoon(tx, id, now())
    if (network.readBroker) await tell(tx, brokersTopic)
    await record?.(tx)
    return id
  })
}

/** Withdraws what the former account has elsewhere: its callback and its broker session. */
async function leaveFormer(
  storage: Storage & { tx: Queryable },
  id: number,
  { readBroker }: Network,
  values: AccountValues,
): Promise<void> {
  const { tx, sealer } = storage
  const account = await accountQueries.lock(tx, id)
  if (!account) return
  const former = openValues(account, sealer)
  await leaveCallback(storage, account, { former, next: values })
  if (isSameSession(readBroker?.(former), readBroker?.(values))) return
  await leaveSession(storage, account, former)
  await accountQueries.changeSession(tx, id)
}

/**
 * Removes an account, ends its broker session and withdraws its callback. False when there is no such
 * account.
 */
export function removeAccount(storage: Storage, target: AccountTarget): Promise<boolean> {
  return storage.db.transaction((tx) => removeAccountWithin(tx, storage, target))
}

/** The same within a transaction. */
export async function removeAccountWithin(
  tx: Queryable,
  storage: Storage,
  { organizationId, network, registerMethod, record }: AccountTarget,
): Promise<boolean> {
  const found = await accountQueries.find(tx, organizationId, network, registerMethod)
  const account = found && (await accountQueries.lock(tx, found.id))
  if (!account) return false
  const former = openValues(account, storage.sealer)
  await leaveCallback({ ...storage, tx }, account, { former, next: undefined })
  await accountQueries.remove(tx, organizationId, network, registerMethod)
  await leaveSession({ ...storage, tx }, account, former)
  await tell(tx, brokersTopic)
  await record?.(tx)
  return true
}

/** Retries when the account is removed between the two statements. */
async function insertOrFind(
  tx: Queryable,
  organizationId: number,
  account: Parameters<typeof accountQueries.insert>[2],
): Promise<{ id: number; isNew: boolean }> {
  const { network, registerMethod } = account
  for (let tries = 0; tries < mostTries; tries += 1) {
    const created = await accountQueries.insert(tx, organizationId, account)
    if (created) return { id: created.id, isNew: true }
    const known = await accountQueries.find(tx, organizationId, network, registerMethod)
    if (known) return { id: known.id, isNew: false }
  }
  throw unavailable(1)
}

/**
 * Checks the account's credentials and ids at the network, and records the answer. False when the
 * account is unusable; a partly refused account is usable (`notePartlyRefused`).
 */
export async function checkAtNetwork(
  { db, connections, now }: { db: Database; connections: NetworkConnections; now(): Date },
  accountId: number,
): Promise<boolean> {
  try {
    const connection = await connections.open(accountId)
    await connection.check()
    await noteAnswered(db, accountId, now(), { isProven: true })
    return true
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    await noteFailedCheck(db, accountId, error, now())
    return error.about !== undefined && error.about !== 'account'
  }
}

function split({ accountFields }: Network, values: AccountValues): [AccountValues, AccountValues] {
  const open: AccountValues = {}
  const secrets: AccountValues = {}
  for (const { name, secret } of accountFields) {
    const value = values[name]
    if (value !== undefined) Object.assign(secret ? secrets : open, { [name]: value })
  }
  return [open, secrets]
}
