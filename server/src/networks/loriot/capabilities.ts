import type { Capabilities } from '../capabilities.ts'

/**
 * LORIOT Public NWK REST API 5.0. The queue of a device can be emptied but not listed; a device
 * tells of its next downlink counter, no more.
 */
export const capabilities: Capabilities = {
  registration: 'api',
  renames: true,
  rekeys: true,
  changesJoinEui: false,
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
  rights: ['write_devices', 'read_gateways', 'write_gateways', 'send_downlinks', 'set_callback'],
  hasQuota: true,
}
