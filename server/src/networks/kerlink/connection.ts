import { bindCalls } from '../bind-calls.ts'
import { readCallback, readCluster, removeCallback, setCallback } from './callback.ts'
import { openSession } from './client.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'
import { cancelDownlink, listDownlinks, queueDownlink } from './downlinks.ts'
import { addGateway, listGateways, removeGateway, updateGateway } from './gateways.ts'

export const openConnection = bindCalls(openSession, {
  check: async (session) => void (await readCluster(session)),
  addDevice,
  renameDevice,
  removeDevice,
  listDevices,
  gateways: { add: addGateway, update: updateGateway, remove: removeGateway, list: listGateways },
  queueDownlink,
  listDownlinks,
  cancelDownlink: (session, _devEui, id) => cancelDownlink(session, id),
  setCallback,
  readCallback,
  removeCallback,
})
