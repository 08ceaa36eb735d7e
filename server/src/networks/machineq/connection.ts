import type { AccountValues, NetworkConnection } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { checkAccess } from './check-access.ts'
import { type MachineqOptions, openSession } from './client.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'
import { queueDownlink } from './downlinks.ts'

/** A connection to one account; everything that machineQ is able to do. */
export function openConnection(values: AccountValues, outside: Outside, options?: MachineqOptions) {
  const session = openSession(values, outside, options)
  return {
    check: () => checkAccess(session),
    addDevice: (device) => addDevice(session, device),
    renameDevice: (devEui, name) => renameDevice(session, devEui, name),
    removeDevice: (devEui) => removeDevice(session, devEui),
    queueDownlink: (downlink) => queueDownlink(session, downlink),
    listDevices: () => listDevices(session),
    setCallback: (callback) => setCallback(session, callback),
    readCallback: (callback) => readCallback(session, callback),
    removeCallback: (callback) => removeCallback(session, callback),
    close: () => session.close(),
  } satisfies NetworkConnection
}
