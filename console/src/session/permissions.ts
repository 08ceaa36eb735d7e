import { t } from '../languages/text.ts'
/** What a member may do, in the words of the console. Everybody may read. */
export const permissionLabels = [
  ['manage_account', t('Account'), t('Members, networks, billing and the organization')],
  ['manage_devices', t('Devices'), t('Register, change and configure devices; device types; keys')],
  ['manage_gateways', t('Gateways'), t('Register and change gateways')],
  ['manage_groups', t('Groups'), t('Create and change groups, and put devices in them')],
  [
    'manage_widget_dashboard',
    t('Dashboards'),
    t('Make, change and delete dashboards and floor plans'),
  ],
] as const

export type PermissionName = (typeof permissionLabels)[number][0]

/** "Account, Devices"; "Read only" without any. */
export function namePermissions(held: readonly PermissionName[]): string {
  const names = permissionLabels.filter(([key]) => held.includes(key)).map(([, name]) => name)
  if (names.length === permissionLabels.length) return t('Everything')
  return names.length === 0 ? t('Read only') : names.join(', ')
}
