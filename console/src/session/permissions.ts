/** What a member may do, in the words of the console. Everybody may read. */
export const permissionLabels = [
  ['manage_account', 'Account', 'Members, networks, billing and the organization'],
  ['manage_devices', 'Devices', 'Register, change and configure devices; device types; keys'],
  ['manage_gateways', 'Gateways', 'Register and change gateways'],
  ['manage_groups', 'Groups', 'Create and change groups, and put devices in them'],
  ['manage_widget_dashboard', 'Dashboards', 'Make, change and delete dashboards and floor plans'],
] as const

export type PermissionName = (typeof permissionLabels)[number][0]

/** "Account, Devices"; "Read only" without any. */
export function namePermissions(held: readonly PermissionName[]): string {
  const names = permissionLabels.filter(([key]) => held.includes(key)).map(([, name]) => name)
  if (names.length === permissionLabels.length) return 'Everything'
  return names.length === 0 ? 'Read only' : names.join(', ')
}
