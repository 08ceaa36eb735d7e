import type { NetworkConnection } from '../../networks/network.ts'
import { NetworkError, type NetworkErrorSubject } from '../../networks/network-error.ts'

type Method = Exclude<keyof NetworkConnection, 'gateways' | 'close'>

/** What a failed call is about, where the network's client does not know better. */
const subjects: Record<Method, NetworkErrorSubject> = {
  check: 'account',
  addDevice: 'device',
  renameDevice: 'device',
  removeDevice: 'device',
  listDevices: 'device',
  readDevice: 'device',
  queueDownlink: 'downlink',
  listDownlinks: 'downlink',
  flushDownlinks: 'downlink',
  cancelDownlink: 'downlink',
  readSession: 'downlink',
  setCallback: 'account',
  readCallback: 'account',
  readLastSeen: 'device',
  removeCallback: 'account',
  confirmCallback: 'account',
}

/** For so long what `check()` said holds for other errors too; a failure is soon asked about again. */
const fineMilliseconds = 10_000
const failedMilliseconds = 1_000

/**
 * Wraps a connection so that each of its errors says what it is about. A denial, or an error of the
 * server, may be about the one thing or about all: with `check()` of the account fine it is the
 * thing's own, which tells nothing of any other; otherwise it is the account's, in the words of the
 * check.
 */
export function withSubjects(connection: NetworkConnection, now: () => number): NetworkConnection {
  const askAccount = askSeldom(() => connection.check(), now)
  const judge = async (error: unknown, subject: NetworkErrorSubject): Promise<unknown> => {
    if (!(error instanceof NetworkError) || error.about) return error
    const mayBeEither = error.kind === 'unreachable' || error.kind === 'unauthorized'
    if (subject === 'account' || !mayBeEither) {
      error.about = error.kind === 'slow_down' ? 'account' : subject
      return error
    }
    const fault = await askAccount()
    return fault ? ofAccount(error, fault) : ofThing(error, subject)
  }
  const { gateways, close, ...calls } = connection
  const wrapped = wrapAll({ calls, judge, subjectOf: (method) => subjects[method as Method] })
  return {
    ...wrapped,
    ...(gateways && {
      gateways: wrapAll({ calls: gateways, judge, subjectOf: () => 'gateway' as const }),
    }),
    close: () => connection.close?.(),
  }
}

/** Tells what is wrong with the account; undefined when it is fine. */
function askSeldom(check: () => Promise<void>, now: () => number) {
  let answer: Promise<NetworkError | undefined> | undefined
  let until = 0
  const ask = async () => {
    try {
      await check()
      return undefined
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      // What only some function of the account lacks tells nothing of the others.
      if (error.about !== undefined && error.about !== 'account') return undefined
      until = now() + failedMilliseconds
      return error
    }
  }
  return () => {
    if (!answer || until <= now()) {
      until = now() + fineMilliseconds
      answer = ask()
    }
    return answer
  }
}

function ofAccount({ isUndone }: NetworkError, fault: NetworkError): NetworkError {
  const { kind, message, retryAfterMs } = fault
  const pause = retryAfterMs === undefined ? {} : { retryAfterMs }
  return new NetworkError(kind, message, { about: 'account', isUndone, ...pause })
}

/** The account is let in, and answered: what is not allowed or fails is so for this alone. */
function ofThing(error: NetworkError, about: NetworkErrorSubject): NetworkError {
  const kind = error.kind === 'unreachable' ? 'not_yet' : error.kind
  return new NetworkError(kind, error.message, { about, isUndone: error.isUndone })
}

interface Wrapping<Calls> {
  calls: Calls
  judge: (error: unknown, subject: NetworkErrorSubject) => Promise<unknown>
  subjectOf: (method: string) => NetworkErrorSubject
}

function wrapAll<Calls extends object>({ calls, judge, subjectOf }: Wrapping<Calls>): Calls {
  const wrapped = Object.entries(calls).map(([name, call]) => {
    if (typeof call !== 'function') return [name, call]
    const subject = subjectOf(name)
    const begin = (args: unknown[]) => call.apply(calls, args)
    const settle = async (args: unknown[]) => {
      try {
        return await begin(args)
      } catch (error) {
        throw await judge(error, subject)
      }
    }
    async function* page(args: unknown[]) {
      try {
        yield* begin(args)
      } catch (error) {
        throw await judge(error, subject)
      }
    }
    const isListing = name === 'list' || name === 'listDevices'
    return [name, (...args: unknown[]) => (isListing ? page(args) : settle(args))]
  })
  return Object.fromEntries(wrapped)
}
