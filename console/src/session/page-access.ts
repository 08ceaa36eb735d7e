import type { Permission, SessionOrganization } from './session.ts'

const ofGroup = [
  '/dashboards',
  '/explore',
  '/devices',
  '/map',
  '/uplinks',
  '/groups',
  '/device-types',
  '/api',
  '/settings',
  '/settings/security',
  '/settings/two-factor',
  '/settings/members',
  '/settings/invitations',
]
const belowOfGroup = /^\/(dashboards|devices|groups|device-types|register)\/[^/]+$/

/** Pages that only change something. */
const needed: Readonly<Record<string, Permission>> = {
  '/register': 'manage_devices',
  '/install': 'manage_devices',
  '/import': 'manage_devices',
  '/device-types/new': 'manage_devices',
  '/device-types/import': 'manage_devices',
  '/gateways/register': 'manage_gateways',
}

/** Whether a page has something for whoever is limited to a group. */
export function isOfGroup(path: string): boolean {
  return ofGroup.includes(path) || (belowOfGroup.test(path) && needed[path] === undefined)
}

/** What a user of a part of it may change. */
const withinGroup: readonly Permission[] = ['manage_devices', 'manage_widget_dashboard']

/** Whether the user may do it there. */
export function mayDo(organization: SessionOrganization, permission: Permission): boolean {
  const { is_owner, permissions, group } = organization
  if (group !== null && !withinGroup.includes(permission)) return false
  return is_owner || permissions.includes(permission)
}

/** Why the user has no use for the page: they lack a permission, or see one group only. */
export function barOf(
  organization: SessionOrganization,
  path: string,
): Permission | 'limited' | undefined {
  if (organization.group !== null && path !== '/' && !isOfGroup(path)) return 'limited'
  const permission = needed[path]
  return permission && !mayDo(organization, permission) ? permission : undefined
}
