import type { AccountValues, ConnectionOptions, NetworkConnection } from '../network.ts'
import type { Outside } from '../outside.ts'
import { openRest } from '../rest.ts'
import { readAccount } from './account.ts'
import { checkAccess, queueDownlink } from './downlinks.ts'

/** A connection to one account; everything that Senet's public API is able to do. */
export function openConnection(
  values: AccountValues,
  outside: Outside,
  options?: ConnectionOptions,
) {
  const { server, apiKey } = readAccount(values)
  const client = openRest({
    name: 'Senet',
    base: `${server.origin}/rest/integration`,
    headers: () => ({ authorization: apiKey }),
    outside,
    secrets: [apiKey],
    ...options,
  })
  return {
    check: () => checkAccess(client),
    queueDownlink: (downlink) => queueDownlink(client, downlink),
    close: () => client.close(),
  } satisfies NetworkConnection
}
