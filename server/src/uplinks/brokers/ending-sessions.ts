import type { FastifyBaseLogger } from 'fastify'
import type { Database, Queryable } from '../../db/connect.ts'
import type { Sealer } from '../../db/seal.ts'
import { sealContext } from '../../db/secret-keys.ts'
import type { StoredAccount } from '../../features/accounts/connections/account-queries.ts'
import { findNetwork } from '../../networks/index.ts'
import { endSession } from '../../networks/mqtt/follow-broker.ts'
import type { AccountValues } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import type { Outside } from '../../networks/outside.ts'
import {
  claimEndings,
  type EndingSession,
  forgetOldest,
  insertEnding,
  removeEnding,
  setEndingValues,
} from './ending-session-queries.ts'

/** The most sessions of one tenant that wait for their end. */
const mostEndings = 20

/** Schedules the end of the account's session at its broker, if these values name a broker. */
export async function leaveSession(
  { tx, sealer, log }: { tx: Queryable; sealer: Sealer; log: FastifyBaseLogger },
  account: StoredAccount,
  values: AccountValues,
): Promise<void> {
  if (!findNetwork(account.network)?.readBroker?.(values)) return
  const id = await insertEnding(tx, account)
  await setEndingValues(
    tx,
    id,
    sealer.seal(JSON.stringify(values), sealContext('endingSession', id)),
  )
  const forgotten = await forgetOldest(tx, account.organization_id, mostEndings)
  for (const session of forgotten) log.warn(session, givenUp)
}

const givenUp = 'a session at an MQTT broker is left there, and may gather messages'

/** Ends sessions at brokers that no process follows any more. */
interface SessionEnder {
  /** Begins to end the due sessions. See `claimEndings` for those that other processes followed. */
  work(holder: string): Promise<void>
  /** Waits until no such work is in progress. */
  close(): Promise<void>
}

interface Dependencies {
  db: Database
  sealer: Sealer
  log: FastifyBaseLogger
  outside: Outside
}

export function createSessionEnder(dependencies: Dependencies): SessionEnder {
  const { db, log } = dependencies
  const running = new Set<Promise<void>>()
  const begin = (session: EndingSession) => {
    const ending = tryToEnd(dependencies, session)
      .catch((err) => log.warn({ network: session.network, err }, 'a session is not ended'))
      .finally(() => running.delete(ending))
    running.add(ending)
  }
  return {
    async work(holder) {
      for (const session of await claimEndings(db, holder)) begin(session)
    },
    async close() {
      await Promise.all(running)
    },
  }
}

async function tryToEnd(
  { db, sealer, log, outside }: Dependencies,
  { id, organization_id, network, broker_session, sealed_values, is_last }: EndingSession,
): Promise<void> {
  try {
    const values = JSON.parse(sealer.open(sealed_values, sealContext('endingSession', id)))
    const broker = findNetwork(network)?.readBroker?.(values)
    if (broker) await endSession({ broker, id: broker_session }, outside)
  } catch (error) {
    if (!is_last && !(error instanceof NetworkError)) throw error
    if (!is_last) return
    const reason = error instanceof NetworkError ? error.message : undefined
    log.warn({ organization_id, network, reason }, givenUp)
  }
  await removeEnding(db, id)
}
