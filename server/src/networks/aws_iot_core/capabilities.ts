import type { Capabilities } from '../capabilities.ts'

/**
 * AWS IoT Core, AWS IoT API reference. It is a broker: it has no gateways, keeps no queue of
 * downlinks and tells nothing of what became of one.
 */
export const capabilities: Capabilities = {
  registration: 'api',
  renames: true,
  rekeys: false,
  changesJoinEui: false,
  gateways: false,
  downlinks: 'pushed',
  payload: 'hex',
  cancel: 'here',
  holdsUntilReport: false,
  listsQueue: false,
  reports: [],
  lists: ['devices'],
  tellsKeys: false,
  setsCallback: true,
  callbacks: 'several',
  tellsLastSeen: false,
  subscribes: true,
  checksAccount: true,
  rights: ['write_devices', 'send_downlinks', 'set_callback'],
  hasQuota: false,
}
