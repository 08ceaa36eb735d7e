import type { Capabilities } from '../capabilities.ts'
import type { Limits } from '../limits.ts'

/** ChirpStack v4, api/proto/api/*.proto. An item of a device's queue cannot be deleted alone. */
export const capabilities: Capabilities = {
  registration: 'api',
  renames: true,
  rekeys: true,
  changesJoinEui: true,
  gateways: true,
  downlinks: 'pushed',
  payload: 'base64',
  cancel: 'flush',
  holdsUntilReport: true,
  listsQueue: true,
  reports: ['sent', 'acknowledged', 'failed'],
  lists: ['devices', 'gateways'],
  tellsKeys: 'read',
  setsCallback: true,
  callbacks: 'several',
  tellsLastSeen: true,
  subscribes: true,
  checksAccount: true,
  rights: [],
  hasQuota: true,
}

/** `varchar(100)` of chirpstack/migrations_postgres/00000000000000_initial; a description is `text`. */
export const limits: Limits = {
  deviceName: { longest: 100 },
  gatewayName: { longest: 100 },
}
