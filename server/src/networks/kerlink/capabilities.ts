import type { Capabilities } from '../capabilities.ts'
import type { Limits } from '../limits.ts'

/**
 * GMS REST API 3.2.6. Joins and acknowledgements are not pushed: only what becomes of a data down.
 */
export const capabilities: Capabilities = {
  registration: 'api',
  renames: true,
  rekeys: true,
  changesJoinEui: true,
  gateways: true,
  downlinks: 'pushed',
  payload: 'hex',
  cancel: 'one',
  holdsUntilReport: false,
  listsQueue: true,
  reports: ['sent', 'failed'],
  lists: ['devices', 'gateways'],
  tellsKeys: 'listed',
  setsCallback: true,
  callbacks: 'one',
  tellsLastSeen: false,
  subscribes: false,
  checksAccount: true,
  rights: ['write_devices', 'write_gateways', 'send_downlinks', 'set_callback'],
  hasQuota: true,
}

/** GMS REST API 3.2.6, `EndDeviceDto` and `GatewayDto`. */
export const limits: Limits = {
  deviceName: { longest: 255 },
  gatewayName: { longest: 255 },
  gatewayDescription: { longest: 255 },
}
