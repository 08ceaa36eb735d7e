import type { Capabilities } from '../capabilities.ts'

/**
 * machineQ API v1, as its Python client has it (OlegZv/machineq). A queue can be emptied only by
 * sending another message, and nothing is told of a downlink. Gateways can be created through the
 * API, but the registration form of the service does not ask for what that needs.
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
  subscribes: false,
  checksAccount: true,
  rights: ['write_devices', 'send_downlinks', 'set_callback'],
  hasQuota: false,
}
