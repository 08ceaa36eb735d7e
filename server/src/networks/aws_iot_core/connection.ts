import { ListThingsCommand } from '@aws-sdk/client-iot'
import { confirmDestination } from '../aws/rule-destination.ts'
import { bindCalls } from '../bind-calls.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { findDataAddress, openSession } from './client.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'
import { queueDownlink } from './downlinks.ts'

export const openConnection = bindCalls(openSession, {
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
