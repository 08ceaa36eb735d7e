import type { AccountValues, NetworkConnection } from './network.ts'
import type { Outside } from './outside.ts'

/** A network's functions, by the names of `NetworkConnection`: each takes the session first. */
type CallsWith<Session, Calls> = {
  [Name in keyof Calls]: CallWith<Session, NonNullable<Calls[Name]>>
}

type CallWith<Session, Call> = Call extends (...args: infer Arguments) => infer Result
  ? (session: Session, ...args: Arguments) => Result
  : CallsWith<Session, Call>

/** The same functions without the session. */
type Bound<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (
    session: never,
    ...args: infer Arguments
  ) => infer Result
    ? (...args: Arguments) => Result
    : Bound<Calls[Name]>
}

/**
 * Makes `openConnection` of a network from the function that opens an account's session and from
 * the calls that take the session.
 */
export function bindCalls<
  Session extends { close(): void },
  Options,
  Calls extends CallsWith<Session, Omit<NetworkConnection, 'close'>>,
>(
  openSession: (values: AccountValues, outside: Outside, options?: Options) => Session,
  calls: Calls,
): (
  values: AccountValues,
  outside: Outside,
  options?: Options,
) => Bound<Calls> & Pick<Session, 'close'> {
  return (...account) => {
    const session = openSession(...account)
    return { ...bind(session, calls), close: () => session.close() }
  }
}

function bind<Calls extends object>(session: unknown, calls: Calls): Bound<Calls> {
  const bound = Object.entries(calls).map(([name, call]) => [
    name,
    typeof call === 'function' ? call.bind(undefined, session) : bind(session, call),
  ])
  return Object.fromEntries(bound)
}
