import type { AccountValues, NetworkConnection } from '../network.ts'
import type { Outside } from '../outside.ts'
import { openRest } from '../rest.ts'
import { readAccount } from './account.ts'
import { checkAccess, queueDownlink } from './downlinks.ts'

/** A connection to one account; everything that Senet's public API is able to do. */
export function openConnection(
  values: AccountValues,
  outside: Outside,
  options?: { deadlineMs: number },
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
    // The owner registers, renames and removes devices in the portal, before or after they are
    // known here: there is nothing to be said to Senet about it.
    addDevice: async () => undefined,
    renameDevice: async () => undefined,
    removeDevice: async () => undefined,
    queueDownlink: (downlink) => queueDownlink(client, downlink),
    close: () => client.close(),
  } satisfies NetworkConnection
}
