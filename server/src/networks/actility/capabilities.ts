import type { Capabilities } from '../capabilities.ts'

/**
 * ThingPark API 7.3: the downlink queue of a device is not listed, an item of it cannot be deleted
 * alone, and emptying it is a parameter of POST /v2/downlink.
 */
export const capabilities: Capabilities = {
  registration: 'api',
  renames: true,
  rekeys: true,
  changesJoinEui: true,
  gateways: true,
  downlinks: 'pushed',
  payload: 'hex',
  cancel: 'flush_own',
  holdsUntilReport: true,
  listsQueue: false,
  reports: ['sent', 'acknowledged', 'failed'],
  lists: ['devices', 'gateways'],
  tellsKeys: false,
  setsCallback: true,
  callbacks: 'several',
  tellsLastSeen: false,
  subscribes: false,
  checksAccount: true,
  rights: ['write_devices', 'read_gateways', 'write_gateways', 'set_callback'],
  hasQuota: true,
}
