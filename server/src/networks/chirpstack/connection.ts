import { bindCalls } from '../bind-calls.ts'
import type { NetworkDevice } from '../network.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { checkAccess } from './check-access.ts'
import { listChoices } from './choices.ts'
import { openSession, type Session } from './client.ts'
import {
  addDevice,
  listDevices,
  readDevice,
  readLastSeen,
  removeDevice,
  renameDevice,
} from './devices.ts'
import { flushDownlinks, listDownlinks, queueDownlink, readSession } from './downlinks.ts'
import { addGateway, listGateways, removeGateway, updateGateway } from './gateways.ts'
import { readCodec } from './profile-codec.ts'

export const openConnection = bindCalls(openSession, {
  check,
  listChoices,
  addDevice: addWhenProven,
  renameDevice,
  removeDevice,
  listDevices,
  readDevice,
  readCodec,
  readLastSeen,
  gateways: { add: addGateway, update: updateGateway, remove: removeGateway, list: listGateways },
  queueDownlink,
  listDownlinks,
  flushDownlinks,
  readSession,
  setCallback,
  readCallback,
  removeCallback,
})

async function check(session: Session): Promise<void> {
  await checkAccess(session)
  session.isProven = true
}

/** ChirpStack accepts another tenant's device profile (chirpstack/src/storage/device.rs). */
async function addWhenProven(
  session: Session,
  device: NetworkDevice,
  tell?: (sentence: string) => void,
): Promise<void> {
  if (!session.isProven) await check(session)
  await addDevice(session, device, tell)
}
