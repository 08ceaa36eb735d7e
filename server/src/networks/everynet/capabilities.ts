import type { Capabilities } from '../capabilities.ts'

/**
 * Everynet, management API v1.0 and data API (ns.docs.everynet.io). Its devices have no name, only
 * tags; it keeps no downlinks and asks for one when the device listens; the list of connections can
 * be read but not written.
 */
export const capabilities: Capabilities = {
  registration: 'api',
  renames: false,
  rekeys: true,
  changesJoinEui: true,
  gateways: false,
  downlinks: 'pulled',
  payload: 'base64',
  cancel: 'here',
  holdsUntilReport: false,
  listsQueue: false,
  reports: ['sent', 'acknowledged', 'failed'],
  lists: ['devices'],
  tellsKeys: 'listed',
  setsCallback: false,
  callbacks: 'by_hand',
  tellsLastSeen: false,
  subscribes: false,
  checksAccount: true,
  rights: ['write_devices'],
  hasQuota: false,
}
