import type { AnswerOf, InputOf, OperationName } from '../../clients/typescript/src/client.ts'
import { createSender, type Endpoint, type Input } from '../../clients/typescript/src/sender.ts'

/** The operations that the tools use, by their names in the API reference. */
const endpoints = {
  getCurrentUser: read('/user/get-org-user/me'),
  getFleetSummary: read('/fleet/summary'),
  listFleetDevices: read('/fleet/devices'),
  getFleetDevice: read('/fleet/devices/{device_id}'),
  getDeviceAlerts: read('/devices/{device_id}/alerts'),
  getDeviceRadio: read('/devices/{device_id}/radio'),
  getDeviceBattery: read('/devices/{device_id}/battery'),
  getDeviceMeasurements: read('/devices/{device_id}/measurements'),
  getConfigurationFields: read('/devices/{device_id}/configure/fields'),
  listDownlinks: read('/devices/{device_id}/downlinks'),
  listFleetUplinks: read('/fleet/uplinks'),
  listFleetGateways: read('/fleet/gateways'),
  getCoverage: read('/fleet/coverage'),
  listCoveredDevices: read('/fleet/coverage/devices'),
  listAlerts: read('/alerts'),
  queryMeasurements: question('/measurements/query'),
  listDashboards: read('/dashboards'),
  getDashboard: read('/dashboards/{dashboard_id}'),
  readDashboardData: question('/dashboards/data'),
  configureDevice: write('POST', '/devices/{device_id}/configure'),
  acknowledgeAlert: write('POST', '/alerts/{alert_id}/acknowledge'),
  updateDevice: write('PATCH', '/devices/{device_id}'),
} as const satisfies { [O in OperationName]?: Endpoint }

function read(path: string): Endpoint {
  return { method: 'GET', path, repeat: 'safe' }
}

/** Asked by a body, and changes nothing. */
function question(path: string): Endpoint {
  return { method: 'POST', path, repeat: 'safe' }
}

function write(method: 'POST' | 'PATCH', path: string): Endpoint {
  return { method, path, repeat: method === 'POST' ? 'keyed' : 'never' }
}

type Used = keyof typeof endpoints

/** Calls an operation of the service with the key of this program. */
export type Ask = <O extends Used>(operation: O, input: InputOf<O>) => Promise<AnswerOf<O>>

/** Whoever asks waits for the answer, so tries end early. */
const patience = { timeout: 20_000, retries: 2, longestPause: 5000 }

export function openService(url: string, key: string): Ask {
  const send = createSender({ url, key, ...patience })
  return (operation, input) => send(endpoints[operation], input as Input) as Promise<never>
}
