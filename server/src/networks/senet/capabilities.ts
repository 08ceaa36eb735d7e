import type { Capabilities } from '../capabilities.ts'

/**
 * Senet. Its calls for registering devices are documented behind its portal alone, where
 * registering takes a token sent by e-mail as well (docs.senetco.io/ap/mgmt). What it was given to
 * send it does not give back, and it reports no more than the acknowledgement of confirmed
 * downlinks.
 */
export const capabilities: Capabilities = {
  registration: 'by_hand',
  renames: false,
  rekeys: false,
  changesJoinEui: false,
  gateways: false,
  downlinks: 'pushed',
  payload: 'hex',
  cancel: 'here',
  holdsUntilReport: false,
  listsQueue: false,
  reports: ['acknowledged'],
  lists: [],
  tellsKeys: false,
  setsCallback: false,
  callbacks: 'by_hand',
  tellsLastSeen: false,
  subscribes: false,
  checksAccount: true,
  rights: [],
  hasQuota: false,
}
