export interface KnownPage {
  name: string
  path: string
  /** Set for what only those see who are not logged in. */
  isOutside?: boolean
}

/** The pages of the console: they are photographed, and checked for accessibility. */
export const pages: readonly KnownPage[] = [
  { name: 'overview', path: '/' },
  { name: 'start', path: '/start' },
  { name: 'devices', path: '/devices' },
  { name: 'device', path: '/devices/00AA000000000001' },
  { name: 'device-measurements', path: '/devices/00AA000000000002?tab=measurements&range=hour' },
  { name: 'device-uplinks', path: '/devices/00AA000000000001?tab=uplinks' },
  { name: 'device-radio', path: '/devices/00AA000000000001?tab=radio&range=hour' },
  { name: 'device-settings', path: '/devices/00AA000000000001?tab=settings' },
  { name: 'device-missing', path: '/devices/00AA0000000000FF' },
  { name: 'dashboards', path: '/dashboards' },
  { name: 'dashboard', path: '/dashboards/type-16' },
  { name: 'explore', path: '/explore?series=%5B%7B%22quantity%22%3A%22battery%22%7D%5D' },
  { name: 'alerts', path: '/alerts' },
  { name: 'alert-rules', path: '/alerts/rules' },
  { name: 'alert-channels', path: '/alerts/channels' },
  { name: 'uplinks', path: '/uplinks' },
  { name: 'uplink-history', path: '/uplinks?view=history' },
  { name: 'register', path: '/register' },
  { name: 'register-at', path: '/register?network=chirpstack' },
  { name: 'arrival', path: '/register/00AA000000000001' },
  { name: 'install', path: '/install' },
  { name: 'import', path: '/import' },
  { name: 'reports', path: '/reports' },
  { name: 'jobs', path: '/jobs' },
  { name: 'map', path: '/map' },
  { name: 'gateways', path: '/gateways' },
  { name: 'gateway-map', path: '/gateways?view=map' },
  { name: 'register-gateway', path: '/gateways/register' },
  { name: 'groups', path: '/groups' },
  { name: 'networks', path: '/networks' },
  { name: 'network', path: '/networks/chirpstack' },
  { name: 'network-radio', path: '/networks/chirpstack?tab=radio&range=hour' },
  { name: 'new-network', path: '/networks/thethingsnetwork' },
  { name: 'quarantine', path: '/networks/chirpstack?tab=quarantine' },
  { name: 'differences', path: '/networks/chirpstack?tab=differences' },
  { name: 'device-types', path: '/device-types' },
  { name: 'device-type', path: '/device-types/112' },
  { name: 'device-type-new', path: '/device-types/new' },
  { name: 'device-type-import', path: '/device-types/import' },
  { name: 'catalogues', path: '/device-types/catalogues' },
  { name: 'activity', path: '/activity' },
  { name: 'billing', path: '/billing' },
  { name: 'api', path: '/api' },
  { name: 'gallery', path: '/gallery' },
  { name: 'settings', path: '/settings' },
  { name: 'security', path: '/settings/security' },
  { name: 'two-factor', path: '/settings/two-factor' },
  { name: 'organization', path: '/settings/organization' },
  { name: 'members', path: '/settings/members' },
  { name: 'invitations', path: '/settings/invitations' },
  { name: 'api-keys', path: '/settings/api-keys' },
  { name: 'webhooks', path: '/settings/webhooks' },
]

/** Of the demo only: what has an id there, and what is there only for those who are not logged in. */
export const demoPages: readonly KnownPage[] = [
  { name: 'gateway', path: '/gateways/1' },
  { name: 'group', path: '/groups/1' },
  { name: 'dashboard-group', path: '/dashboards/group-1' },
  { name: 'group-plans', path: '/groups/1?tab=plans' },
  { name: 'devices-silent', path: '/devices?verdict=silent' },
  { name: 'not-found', path: '/nothing/here' },
  { name: 'login', path: '/login', isOutside: true },
  { name: 'forgotten-password', path: '/forgotten-password', isOutside: true },
]
