import type { AccountValues, NetworkConnection } from '../network.ts'
import type { Outside } from '../outside.ts'
import { checkAccess } from './check-access.ts'
import { claimDownlink, type EverynetOptions, openSession } from './client.ts'
import { addDevice, listDevices, removeDevice } from './devices.ts'

/** A connection to one account; everything that Everynet is able to do. */
export function openConnection(values: AccountValues, outside: Outside, options?: EverynetOptions) {
  const session = openSession(values, outside, options)
  return {
    check: () => checkAccess(session),
    addDevice: (device) => addDevice(session, device),
    removeDevice: (devEui) => removeDevice(session, devEui),
    queueDownlink: async ({ devEui }) => {
      await claimDownlink(session, devEui)
      return undefined
    },
    listDevices: () => listDevices(session),
    close: () => {
      session.api.close()
      session.adapters.close()
    },
  } satisfies NetworkConnection
}
