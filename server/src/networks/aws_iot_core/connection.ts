import { ListThingsCommand } from '@aws-sdk/client-iot'
import type { CallOptions } from '../aws/client.ts'
import { confirmDestination } from '../aws/rule-destination.ts'
import type { AccountValues, NetworkConnection } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readAccount } from './account.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'
import { queueDownlink } from './downlinks.ts'
import { findDataAddress, openSession } from './session.ts'

/** A connection to one account; everything that AWS IoT Core is able to do. */
export function openConnection(values: AccountValues, outside: Outside, options?: CallOptions) {
  const account = readAccount(values)
  const session = openSession(account, outside, options)
  const { iot } = session
  return {
    async check() {
      await findDataAddress(iot)
      await iot.send(new ListThingsCommand({ maxResults: 1 }))
    },
    addDevice: (device) => addDevice(session, device),
    renameDevice: (devEui, name) => renameDevice(session, devEui, name),
    removeDevice: (devEui) => removeDevice(session, devEui),
    queueDownlink: (downlink) => queueDownlink(session, downlink),
    listDevices: () => listDevices(session),
    setCallback: (callback) => setCallback(session, callback),
    readCallback: (callback) => readCallback(session, callback),
    removeCallback: (callback) => removeCallback(session, callback),
    confirmCallback: (details) => confirmDestination(iot, account, outside, details),
    close: () => session.close(),
  } satisfies NetworkConnection
}
