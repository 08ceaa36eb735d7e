import { bindCalls } from '../bind-calls.ts'
import type { AccountValues } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readAccount } from './account.ts'
import { readCallback, readCluster, removeCallback, setCallback } from './callback.ts'
import { openSession } from './client.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'
import { cancelDownlink, listDownlinks, queueDownlink } from './downlinks.ts'
import { addGateway, listGateways, removeGateway, updateGateway } from './gateways.ts'

export function openConnection(values: AccountValues, outside: Outside) {
  return bindCalls(openSession(readAccount(values), outside), {
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
}
