import type { NetworkConnection } from './network.ts'

/** A network's functions, by the names of `NetworkConnection`: each takes the session first. */
type CallsWith<Session, Calls> = {
  [Name in keyof Calls]: CallWith<Session, NonNullable<Calls[Name]>>
}

type CallWith<Session, Call> = Call extends (...args: infer Arguments) => infer Result
  ? (session: Session, ...args: Arguments) => Result
  : CallsWith<Session, Call>

type Bound<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (
    session: never,
    ...args: infer Arguments
  ) => infer Result
    ? (...args: Arguments) => Result
    : Bound<Calls[Name]>
}

/** Makes the connection of one account: `calls` with its session, and `close` of the session. */
export function bindCalls<
  Session extends { close(): void },
  Calls extends CallsWith<Session, Omit<NetworkConnection, 'close'>>,
>(session: Session, calls: Calls): Bound<Calls> & { close(): void } {
  return { ...bind(session, calls), close: () => session.close() }
}

function bind<Calls extends object>(session: unknown, calls: Calls): Bound<Calls> {
  const bound = Object.entries(calls).map(([name, call]) => [
    name,
    typeof call === 'function' ? call.bind(undefined, session) : bind(session, call),
  ])
  return Object.fromEntries(bound)
}
