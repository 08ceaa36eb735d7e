import type { Permission } from '../../../http/endpoint.ts'

/** Names for sets of permissions. They give no further rights. */
export const roles = {
  viewer: [],
  installer: ['manage_devices'],
  operator: ['manage_devices', 'manage_gateways', 'manage_groups', 'manage_widget_dashboard'],
  administrator: [
    'manage_account',
    'manage_widget_dashboard',
    'manage_devices',
    'manage_gateways',
    'manage_groups',
  ],
} as const satisfies Record<string, readonly Permission[]>

export type Role = keyof typeof roles

export const roleNames = Object.keys(roles) as [Role, ...Role[]]
