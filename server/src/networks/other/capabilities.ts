import type { Capabilities } from '../capabilities.ts'

/** Gateways are recorded here; nothing is called at them. */
export const capabilities: Capabilities = {
  registration: 'by_hand',
  renames: false,
  rekeys: false,
  changesJoinEui: false,
  gateways: false,
  downlinks: 'pushed',
  payload: 'base64',
  cancel: 'here',
  holdsUntilReport: false,
  listsQueue: false,
  reports: [],
  lists: [],
  tellsKeys: false,
  setsCallback: false,
  callbacks: 'by_hand',
  tellsLastSeen: false,
  subscribes: true,
  checksAccount: true,
  rights: [],
  hasQuota: false,
}
