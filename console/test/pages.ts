/** The pages of the console: they are photographed, and checked for accessibility. */
export const pages: readonly { name: string; path: string }[] = [
  { name: 'overview', path: '/' },
  { name: 'devices', path: '/devices' },
  { name: 'device', path: '/devices/00AA000000000001' },
  { name: 'uplinks', path: '/uplinks' },
  { name: 'register', path: '/register' },
  { name: 'jobs', path: '/jobs' },
  { name: 'gateways', path: '/gateways' },
  { name: 'gateway-map', path: '/gateways?view=map' },
  { name: 'register-gateway', path: '/gateways/register' },
  { name: 'groups', path: '/groups' },
  { name: 'networks', path: '/networks' },
  { name: 'device-types', path: '/device-types' },
  { name: 'activity', path: '/activity' },
  { name: 'billing', path: '/billing' },
  { name: 'api', path: '/api' },
  { name: 'settings', path: '/settings' },
]
