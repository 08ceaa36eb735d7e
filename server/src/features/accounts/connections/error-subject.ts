import type { NetworkConnection } from '../../../networks/network.ts'
import { NetworkError, type NetworkErrorSubject } from '../../../networks/network-error.ts'

type Method = Exclude<keyof NetworkConnection, 'gateways' | 'listChoices' | 'close'>

/** The subject of a failed call, unless the client of the network sets a more precise one. */
const subjects: Record<Method, NetworkErrorSubject> = {
  check: 'account',
  readRights: 'account',
  addDevice: 'device',
  renameDevice: 'device',
  removeDevice: 'device',
  listDevices: 'device',
  readDevice: 'device',
  readCodec: 'account',
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

/**
 * How long a result of `check()` also serves for other errors. A failure is checked again sooner.
 */
const fineMilliseconds = 10_000
const failedMilliseconds = 1_000

/**
 * Wraps a connection so that each of its errors has a subject (`about`). A denial or a server error
 * may concern one thing or the whole account. If `check()` of the account succeeds, the error
 * concerns the one thing, and no other. If it fails, the error concerns the account, with the
 * message of the check. The choices of a field are read before the account is whole, so that it cannot
 * be checked.
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
  const { gateways, listChoices, close, ...calls } = connection
  const wrapped = wrapAll({ calls, judge, subjectOf: (method) => subjects[method as Method] })
  return {
    ...wrapped,
    ...(listChoices && { listChoices }),
    ...(gateways && {
      gateways: wrapAll({ calls: gateways, judge, subjectOf: () => 'gateway' as const }),
    }),
    close: () => connection.close?.(),
  }
}

/**
 * Returns a function that checks the account, or returns a recent result. Its result is the error
 * of the account; undefined when the account works.
 */
function askSeldom(check: () => Promise<void>, now: () => number) {
  let answer: Promise<NetworkError | undefined> | undefined
  let until = 0
  const ask = async () => {
    try {
      await check()
      return undefined
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      // If the account lacks only some function, the other functions still work.
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

/** The account works, so the denial or failure concerns only this thing. */
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
