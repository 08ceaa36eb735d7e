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
} as const

export type Role = keyof typeof roles

export const roleNames = Object.keys(roles) as [Role, ...Role[]]

/** The role of exactly these permissions, in any order; null: they have no name. */
export function roleOf(held: readonly string[]): Role | null {
  const all = new Set(held)
  const isThis = (role: Role) =>
    roles[role].length === all.size && roles[role].every((permission) => all.has(permission))
  return roleNames.find(isThis) ?? null
}
