import { ListThingsCommand } from '@aws-sdk/client-iot'
import { confirmDestination } from '../aws/rule-destination.ts'
import { bindCalls } from '../bind-calls.ts'
import type { AccountValues, ConnectionOptions } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { findDataAddress, openSession } from './client.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'
import { queueDownlink } from './downlinks.ts'

export function openConnection(
  values: AccountValues,
  outside: Outside,
  options?: ConnectionOptions,
) {
  return bindCalls(openSession(values, outside, options), {
    async check({ iot }) {
      await findDataAddress(iot)
      await iot.send(new ListThingsCommand({ maxResults: 1 }))
    },
    addDevice,
    renameDevice,
    removeDevice,
    listDevices,
    queueDownlink,
    setCallback,
    readCallback,
    removeCallback,
    confirmCallback: ({ iot, account, outside }, details) =>
      confirmDestination(iot, account, outside, details),
  })
}
