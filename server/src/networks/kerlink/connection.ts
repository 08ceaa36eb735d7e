import { textOf } from '../answer-fields.ts'
import { bindCalls } from '../bind-calls.ts'
import { choicesBy, mapPages, toChoice } from '../choices.ts'
import { readCallback, readCluster, removeCallback, setCallback } from './callback.ts'
import { list, openSession, type Session } from './client.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'
import { cancelDownlink, listDownlinks, queueDownlink } from './downlinks.ts'
import { addGateway, listGateways, removeGateway, updateGateway } from './gateways.ts'

export const openConnection = bindCalls(openSession, {
  listChoices: choicesBy<Session>({
    cluster_id: (session) => listNamed(session, '/clusters'),
    fleet_id: (session) => listNamed(session, '/fleets'),
    brand_id: (session) => listNamed(session, '/brands'),
  }),
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

/** ClusterDto, FleetDto and BrandDto. */
function listNamed(session: Session, path: string) {
  return mapPages(list(session, path), ({ id, name }) => toChoice(textOf(id), name))
}
