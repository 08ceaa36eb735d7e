import type { Capabilities } from '../capabilities.ts'
import type { Limits } from '../limits.ts'

/**
 * AWS IoT Core for LoRaWAN, AWS IoT Wireless API reference. Its list of a device's downlinks leaves
 * out what is in them, and it tells of a downlink only that the device acknowledged it.
 */
export const capabilities: Capabilities = {
  registration: 'api',
  renames: true,
  rekeys: true,
  changesJoinEui: true,
  gateways: true,
  downlinks: 'pushed',
  payload: 'base64',
  cancel: 'one',
  holdsUntilReport: false,
  listsQueue: false,
  reports: ['acknowledged'],
  lists: ['devices', 'gateways'],
  tellsKeys: 'read',
  // Half of what AWS allows an account (GetWirelessDevice: 10 in a second): registrations need it too.
  deviceReadsPerSecond: 5,
  setsCallback: true,
  callbacks: 'several',
  tellsLastSeen: false,
  subscribes: true,
  checksAccount: true,
  rights: ['write_devices', 'read_gateways', 'write_gateways', 'send_downlinks', 'set_callback'],
  hasQuota: false,
}

/**
 * AWS IoT Wireless API reference, CreateWirelessDevice: up to 256 characters, which is more than
 * names have here, and not these. CreateWirelessGateway keeps the same.
 */
export const limits: Limits = {
  deviceName: { longest: 256, without: '<>^#~$' },
  gatewayName: { longest: 256, without: '<>^#~$' },
  gatewayDescription: { longest: 2048 },
}
