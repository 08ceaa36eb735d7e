import type { Capabilities } from '../capabilities.ts'

/**
 * What the adapter does with Netmore Connect, which could do more: its API creates gateways, but for
 * a group and of a type of its own lists, and export configurations, but for whole customers.
 */
export const capabilities: Capabilities = {
  registration: 'api',
  renames: true,
  rekeys: true,
  changesJoinEui: true,
  gateways: false,
  downlinks: 'pushed',
  payload: 'hex',
  cancel: 'flush_own',
  holdsUntilReport: true,
  listsQueue: false,
  reports: [],
  lists: ['devices'],
  tellsKeys: false,
  setsCallback: false,
  callbacks: 'by_hand',
  tellsLastSeen: false,
  subscribes: false,
  checksAccount: true,
  rights: ['write_devices', 'send_downlinks'],
  hasQuota: false,
}
