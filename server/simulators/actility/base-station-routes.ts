// The calls about /partners/mine, network manager API 7.3.
import { objectOf, textOf } from '../../src/networks/answer-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { FarGateway } from '../far-dialect.ts'
import {
  type BaseStationRecord,
  baseStationProfiles,
  bodyOf,
  checkVersion,
  notFound,
  occContextOf,
  operationsPath,
  refuse,
  type ThingPark,
  toPage,
} from './store.ts'
import {
  ofBaseStation,
  ofBaseStationBrief,
  ofBaseStationDetail,
  ofProfile,
  profileLogo,
} from './unused-members.ts'

const base = `${operationsPath}/partners/mine`
const rfHardwareConfig = 'S1_A1_B1'
const bands = [
  'eu868',
  'eu433',
  'cn779',
  'as923',
  'kr920',
  'us915',
  'au915',
  'cn470',
  'in865',
  'ru864',
]

type Station = FarGateway<BaseStationRecord>

export function baseStationRoutes(thingPark: ThingPark): FarRoute[] {
  const { side } = thingPark
  const withStation =
    (handle: (call: FarCall, station: Station) => FarAnswer) => (call: FarCall) => {
      const station = findStation(thingPark, call.params.uid ?? '')
      return station ? handle(call, station) : notFound('Base station')
    }
  const shown = (station: Station) => show(thingPark, station)
  return [
    ['GET', `${base}/bsProfiles`, listProfiles],
    ['GET', `${base}/rfRegions`, listRegions],
    ['GET', `${base}/bss`, (call) => listStations(thingPark, call)],
    ['POST', `${base}/bss`, (call) => createStation(thingPark, call)],
    [
      'GET',
      `${base}/bss/:uid`,
      withStation((_call, found) => ({ status: 200, body: shown(found) })),
    ],
    [
      'PUT',
      `${base}/bss/:uid`,
      withStation((call, found) => {
        const fault = checkVersion(call, found.record)
        if (fault) return fault
        apply(found, bodyOf(call))
        found.record.version += 1
        return { status: 200, body: shown(found) }
      }),
    ],
    [
      'DELETE',
      `${base}/bss/:uid`,
      withStation((_call, found) => {
        side.gateways.delete(found.eui)
        return { status: 204 }
      }),
    ],
    [
      'POST',
      `${base}/bss/:uid/admins/updateRfRegion`,
      withStation((call, found) => updateRegion(thingPark, call, found)),
    ],
  ]
}

function listProfiles(call: FarCall): FarAnswer {
  const profiles = Object.entries(baseStationProfiles).map(([ID, softwareType]) => ({
    ID,
    commercialName: ID,
    ...ofProfile,
    rfHardwareConfig,
    softwareType,
  }))
  return toPage(profiles, call)
}

function regionIdOf(band: string): string {
  return `${band.toUpperCase()}_8channels.1`
}

function listRegions(call: FarCall): FarAnswer {
  const wanted = call.query.ismBandID
  const found = bands.filter((band) => wanted === undefined || band === wanted)
  return toPage(
    found.map((band) => ({
      provID: regionIdOf(band),
      version: 1,
      href: `${base}/rfRegions/${band}`,
    })),
    call,
  )
}

function listStations({ side }: ThingPark, call: FarCall): FarAnswer {
  const briefs = [...side.gateways.values()].map((station) => ({
    ...showCommon(side.now(), station),
    ...ofBaseStationBrief,
  }))
  return toPage(briefs, call, { now: side.now() })
}

function createStation(thingPark: ThingPark, call: FarCall): FarAnswer {
  const body = bodyOf(call)
  const modelId = textOf(objectOf(body.model).ID)
  const lrrUuid = textOf(body.lrrUUID).toUpperCase()
  if (!baseStationProfiles[modelId]) return refuse(400, 24, `unknown model ${modelId}`)
  if (!/^[0-9A-F]{6}-[0-9A-F]{2,48}$/.test(lrrUuid)) return refuse(400, 35, 'invalid lrrUUID')
  if (findStation(thingPark, `u${lrrUuid}`)) return refuse(409, 36, 'lrrUUID already exists')
  const { side } = thingPark
  const record: BaseStationRecord = {
    uid: thingPark.nextUid(),
    lrrUuid,
    lrrId: `1${side.random.hexadecimal(4).slice(1)}`.toUpperCase(),
    modelId,
    serial: '',
    adminData: '',
    rfRegionId: undefined,
    version: 0,
  }
  const station: Station = { eui: '', name: lrrUuid, record }
  apply(station, body)
  // ThingPark stores no EUI of a base station. Tests find it by the note of its owner, or by the
  // end of its UUID.
  station.eui = /EUI ([0-9A-F]{16})/.exec(record.adminData)?.[1] ?? lrrUuid.slice(7)
  side.gateways.set(station.eui, station)
  const location = `${operationsPath}/partners/10/bss/${record.uid}`
  return { status: 201, headers: { location }, body: show(thingPark, station) }
}

function apply(station: Station, { name, smn, customerAdminData }: Record<string, unknown>): void {
  if (name !== undefined) station.name = textOf(name)
  if (smn !== undefined) station.record.serial = textOf(smn)
  if (customerAdminData !== undefined) station.record.adminData = textOf(customerAdminData)
}

function updateRegion({ side }: ThingPark, call: FarCall, { record }: Station): FarAnswer {
  const fault = checkVersion(call, record)
  if (fault) return fault
  const rfRegionID = textOf(bodyOf(call).rfRegionID)
  if (!bands.map(regionIdOf).includes(rfRegionID)) {
    return refuse(400, 37, `unknown RF region ${rfRegionID}`)
  }
  record.rfRegionId = rfRegionID
  record.version += 1
  return { status: 201, body: { rfRegionID, occContext: occContextOf(record, side.now()) } }
}

/** Finds a base station by its number, by `u` and the LRR-UUID, or by `i` and the LRR-ID. */
function findStation({ side }: ThingPark, uid: string): Station | undefined {
  return [...side.gateways.values()].find(({ record }) =>
    [String(record.uid), `u${record.lrrUuid}`, `i${record.lrrId}`].includes(uid),
  )
}

function show({ side }: ThingPark, station: Station) {
  return { ...showCommon(side.now(), station), ...ofBaseStationDetail, now: side.now() }
}

/** Members that a list also has. */
function showCommon(now: number, { name, record }: Station) {
  const { modelId: ID } = record
  const softwareType = baseStationProfiles[ID]
  return {
    ...ofBaseStation,
    lrrUUID: record.lrrUuid,
    lrrID: record.lrrId,
    identificationMode: 'LRR_UUID',
    name,
    model: { ID, commercialName: ID, logo: profileLogo, rfHardwareConfig, softwareType },
    smn: record.serial,
    customerAdminData: record.adminData,
    ...(record.rfRegionId ? { rfRegionID: record.rfRegionId } : {}),
    state: 'ACTIVE',
    cnxState: 'NEVERCNX',
    href: `${operationsPath}/partners/10/bss/${record.uid}`,
    occContext: occContextOf(record, now),
  }
}
