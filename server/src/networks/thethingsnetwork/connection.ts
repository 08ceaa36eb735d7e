import { bindCalls } from '../bind-calls.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { checkAccess, readRights } from './check-access.ts'
import { listChoices } from './choices.ts'
import { openSession } from './client.ts'
import { addDevice, removeDevice, renameDevice } from './devices.ts'
import { cancelDownlink, listDownlinks, queueDownlink } from './downlinks.ts'
import { addGateway, listGateways, removeGateway, updateGateway } from './gateways.ts'
import { listDevices, readCodec, readDevice, readLastSeen } from './read-devices.ts'

export const openConnection = bindCalls(openSession, {
  check: checkAccess,
  listChoices,
  readRights,
  addDevice,
  renameDevice,
  removeDevice,
  listDevices,
  readDevice,
  readCodec,
  readLastSeen,
  gateways: { add: addGateway, update: updateGateway, remove: removeGateway, list: listGateways },
  queueDownlink,
  listDownlinks,
  cancelDownlink,
  setCallback,
  readCallback,
  removeCallback,
})
