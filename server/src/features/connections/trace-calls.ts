import type { NetworkConnection } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import type { SpanStart } from '../../traces/span.ts'
import type { Tracer } from '../../traces/tracer.ts'

/** Whose connection it is; an account that is not stored yet has no id. */
interface Owner {
  network: string
  accountId: number | undefined
}

/** Wraps a connection so that each of its calls is a span, named for the network and the call. */
export function withSpans(
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
