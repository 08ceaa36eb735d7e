// Members that the OpenAPI files of API 7.3 require in every answer. The values are those of new,
// idle things.
import { operationsPath } from './store.ts'

/** 2020-01-01, the time of the examples in the files. */
const createdAt = 1_577_836_800_000
const noAlarms = { alarm1: 0, alarm2: 0, alarm3: 0, alarm4: 0, alarm5: 0, alarm6: 0 }
const noFrames = { val: [] }
const files = `${operationsPath}/resources/files/logo`
const vendor = { ID: 'generic', commercialName: 'Generic', logo: `${files}/deviceVendor/1` }
export const profileLogo = `${files}/profile/1`

export const ofProfile = { vendor }

export const ofAppServer = { baseStationCount: 0, deviceCount: 0, multicastGroupCount: 0 }

/** Members of a device in a list, and in its own answer. */
export const ofDevice = {
  ...noAlarms,
  vendor,
  historyUpDaily: noFrames,
  historyDwDaily: noFrames,
  creationDate: createdAt,
}

export const ofDeviceBrief = { alarmLevel: 0, alarmCount: 0, tags: [] }

export const ofDeviceDetail = { avgRSSI: 0, avgSNR: 0, classBState: 0 }

export const ofBaseStation = {
  ...noAlarms,
  vendor,
  stateSince: createdAt,
  creationDate: createdAt,
  healthState: 'INIT',
  ints: { int: [] },
}

export const ofBaseStationBrief = { alarmLevel: 0, alarmCount: 0, tags: [] }

export const ofBaseStationDetail = {
  activateRX2Optimization: 0,
  activateSupportFor802_15_4: 0,
  activateBeaconTransmission: false,
  locationType: 1,
  fpgaBoards: [],
  lrcs: { lrc: [] },
  owner: { ID: 'tpk-100000001', name: 'Network partner', accessRight: 'a' },
}
