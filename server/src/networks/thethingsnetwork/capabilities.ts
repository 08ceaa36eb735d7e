import type { Capabilities } from '../capabilities.ts'
import type { Limits } from '../limits.ts'

/**
 * The Things Stack v3. One item of a device's queue is taken out by replacing the queue by all
 * others (api/ttn/lorawan/v3/applicationserver.proto, `DownlinkQueueReplace`).
 */
export const capabilities: Capabilities = {
  registration: 'api',
  renames: true,
  rekeys: true,
  changesJoinEui: false,
  gateways: true,
  downlinks: 'pushed',
  payload: 'base64',
  cancel: 'one',
  holdsUntilReport: false,
  listsQueue: true,
  reports: ['sent', 'acknowledged', 'failed'],
  lists: ['devices', 'gateways'],
  tellsKeys: 'read',
  setsCallback: true,
  callbacks: 'several',
  tellsLastSeen: true,
  subscribes: true,
  checksAccount: true,
  rights: ['write_devices', 'read_gateways', 'write_gateways', 'send_downlinks', 'set_callback'],
  hasQuota: false,
}

/** In code points (`max_len`): api/ttn/lorawan/v3/{end_device,gateway}.proto. A description has 2,000. */
export const limits: Limits = {
  deviceName: { longest: 50 },
  gatewayName: { longest: 50 },
}
