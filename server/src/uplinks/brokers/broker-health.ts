import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../db/connect.ts'
import { type Signals, tell } from '../../db/signals.ts'
import {
  noteAnswered,
  noteFailedCheck,
} from '../../features/accounts/connections/account-health.ts'
import type { StoredAccount } from '../../features/accounts/connections/account-queries.ts'
import { NetworkError } from '../../networks/network-error.ts'
import { isBrokerAwaited, noteBroker } from './subscription-queries.ts'

/** The health of the broker of an account. It is stored in the account, for its owner to read. */
export interface BrokerHealth {
  /** Sets why the broker is not followed; undefined when it is followed. */
  note(trouble: NetworkError | undefined): void
  /** Records that a message has arrived from the broker. */
  hear(): void
  /**
   * Checks whether the broker is silent while uplinks arrive by the callback. The argument is the
   * time of the last such uplink, in milliseconds since 1970. Repeats a write to the account that
   * has failed.
   */
  look(callbackHeardAt: number | null): Promise<void>
}

interface Dependencies {
  db: Database
  log: FastifyBaseLogger
  now(): Date
}

/**
 * How much later than the last message of the broker an uplink by the callback may be, in
 * milliseconds.
 */
const lag = 5_000
/** How long the broker is silent before this is reported, in milliseconds. */
const patience = 15_000

export function createBrokerHealth(
  { db, log, now }: Dependencies,
  account: Pick<StoredAccount, 'id' | 'network' | 'updated_at'>,
  topic: string,
): BrokerHealth {
  /** Undefined until the broker is followed, or has failed. */
  let state: { trouble?: NetworkError } | undefined
  let heardAt = 0
  let suspectedAt: number | undefined
  let isSilent = false
  let written: string | undefined
  let writing = Promise.resolve()

  const write = async () => {
    if (!state) return
    const silence = isSilent ? silentOn(topic) : undefined
    const trouble = state.trouble ?? silence
    const words = trouble?.message ?? ''
    if (words === written) return
    try {
      await writeTrouble(db, account, trouble, now())
      written = words
    } catch (err) {
      log.warn({ account: account.id, err }, 'the state of a broker is not written')
    }
  }
  const writeSoon = () => {
    writing = writing.then(write)
    return writing
  }
  const isQuiet = (callbackHeardAt: number | null) =>
    state !== undefined && !state.trouble && (callbackHeardAt ?? 0) > heardAt + lag
  return {
    note(trouble) {
      if (trouble) log.warn({ account: account.id, problem: trouble.message }, 'broker')
      // Earlier uplinks by the callback arrived before this process followed the broker.
      if (!trouble && (!state || state.trouble)) heardAt = now().getTime()
      state = trouble ? { trouble } : {}
      void writeSoon()
    },
    hear() {
      heardAt = now().getTime()
      if (!isSilent) return
      isSilent = false
      void writeSoon()
    },
    look(callbackHeardAt) {
      if (isQuiet(callbackHeardAt)) suspectedAt ??= now().getTime()
      else suspectedAt = undefined
      isSilent = suspectedAt !== undefined && now().getTime() >= suspectedAt + patience
      return writeSoon()
    },
  }
}

function silentOn(topic: string): NetworkError {
  return new NetworkError(
    'refused',
    `The MQTT broker lets the account in, but sends nothing on ${topic}, while uplinks come by the callback: the login may not read that topic, or the network publishes on another one.`,
  )
}

/**
 * Gateways of kind `other` have no API. The status of their account is the status of the broker.
 */
const brokerAlone = 'other'

async function writeTrouble(
  db: Database,
  account: Pick<StoredAccount, 'id' | 'network' | 'updated_at'>,
  trouble: NetworkError | undefined,
  now: Date,
): Promise<void> {
  const isAlone = account.network === brokerAlone
  if (isAlone && trouble) await noteFailedCheck(db, account.id, trouble, now)
  else if (isAlone) await noteAnswered(db, account.id, now, { isProven: true })
  await noteBroker(db, account, isAlone ? '' : (trouble?.message ?? ''))
  await tell(db, brokerTopic(account.id))
}

/** Signalled when an account names another broker, or is free to be followed. */
export const brokersTopic = 'brokers'

/** Signalled when the state of the broker of an account is known. */
function brokerTopic(accountId: number): string {
  return `broker ${accountId}`
}

/** How long a request waits for a broker, in milliseconds. */
const requestPatience = 5_000

/** Waits until the account's broker is followed, or has failed, but at most `requestPatience`. */
export async function awaitBroker(
  { db, signals }: { db: Database; signals: Signals },
  accountId: number,
): Promise<void> {
  const look = async () => ((await isBrokerAwaited(db, accountId)) ? undefined : true)
  await signals.waitFor(brokerTopic(accountId), look, requestPatience)
}
