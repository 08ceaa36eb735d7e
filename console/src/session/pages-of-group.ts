const pages = ['/devices', '/uplinks', '/groups', '/device-types', '/api', '/settings']
const settings = ['/settings', '/settings/security', '/settings/members', '/settings/invitations']

/** Whether a page has something for whoever is limited to a group. */
export function isOfGroup(path: string): boolean {
  return pages.includes(path) || settings.includes(path)
}
