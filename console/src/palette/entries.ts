import type { Permission } from '../session/session.ts'

/** A page of the console, as the palette remembers it. */
export interface Target {
  to: string
  params?: Record<string, string>
  search?: Record<string, string | number>
}

export interface Entry {
  /** Differs from all others; recent ones are known by it. */
  id: string
  title: string
  /** Distinguishes it from others of the same name. */
  detail?: string
  /** Words that find it besides its title. */
  words?: string
  /** Where it leads; or what it does. */
  target?: Target
  act?: () => void
  needs?: Permission
}

export interface Section {
  title: string
  entries: readonly Entry[]
}

export const pageEntries: readonly Entry[] = [
  { id: 'page /', title: 'Overview', words: 'home start', target: { to: '/' } },
  {
    id: 'page /start',
    title: 'First steps',
    words: 'wizard begin set up take over migrate',
    target: { to: '/start' },
  },
  {
    id: 'page /devices',
    title: 'Devices',
    words: 'sensors fleet list',
    target: { to: '/devices' },
  },
  {
    id: 'page silent',
    title: 'Silent devices',
    detail: 'not heard for longer than usual',
    words: 'offline lost last seen',
    target: { to: '/devices', search: { verdict: 'silent', sort: 'last_seen' } },
  },
  {
    id: 'page battery',
    title: 'Devices with a low battery',
    words: 'power',
    target: { to: '/devices', search: { low_battery: 'yes', sort: 'battery' } },
  },
  {
    id: 'page /dashboards',
    title: 'Dashboards',
    words: 'charts widgets readings',
    target: { to: '/dashboards' },
  },
  {
    id: 'page /explore',
    title: 'Explore',
    words: 'chart compare measurements',
    target: { to: '/explore' },
  },
  {
    id: 'page /alerts',
    title: 'Alerts',
    words: 'alarm silent offline battery tamper threshold',
    target: { to: '/alerts' },
  },
  {
    id: 'page /alerts/rules',
    title: 'Alert rules',
    words: 'alarm notify mail',
    target: { to: '/alerts/rules' },
  },
  {
    id: 'page /alerts/channels',
    title: 'Alert channels',
    words: 'notifications mail slack teams telegram pagerduty ntfy sms',
    target: { to: '/alerts/channels' },
  },
  { id: 'page /uplinks', title: 'Uplinks', words: 'live messages', target: { to: '/uplinks' } },
  { id: 'page /gateways', title: 'Gateways', target: { to: '/gateways' } },
  { id: 'page /groups', title: 'Groups', words: 'tree', target: { to: '/groups' } },
  { id: 'page /networks', title: 'Networks', words: 'accounts', target: { to: '/networks' } },
  {
    id: 'page /device-types',
    title: 'Device types',
    words: 'codec decoder sensor',
    target: { to: '/device-types' },
  },
  { id: 'page /jobs', title: 'Jobs', words: 'bulk work progress', target: { to: '/jobs' } },
  {
    id: 'page /activity',
    title: 'Activity',
    words: 'audit log changes',
    target: { to: '/activity' },
  },
  { id: 'page /billing', title: 'Billing', words: 'quota plan', target: { to: '/billing' } },
  { id: 'page /api', title: 'API reference', words: 'token curl', target: { to: '/api' } },
  {
    id: 'page /settings/api-keys',
    title: 'API keys',
    words: 'token program integration secret rotate',
    target: { to: '/settings/api-keys' },
  },
  {
    id: 'page /settings/webhooks',
    title: 'Webhooks',
    words: 'push integration http post receiver secret',
    target: { to: '/settings/webhooks' },
  },
  {
    id: 'page /settings',
    title: 'Settings',
    words: 'password sessions two-factor time zone members',
    target: { to: '/settings' },
  },
]

/** What one can do from everywhere. */
export function actionEntries(does: {
  setTheme: (theme: 'light' | 'dark' | 'auto') => void
  logOut: () => void
}): readonly Entry[] {
  const theme = (name: 'light' | 'dark' | 'auto', title: string): Entry => ({
    id: `theme ${name}`,
    title,
    words: 'colours mode appearance',
    act: () => does.setTheme(name),
  })
  return [
    {
      id: 'act register',
      title: 'Register a device',
      words: 'add new',
      needs: 'manage_devices',
      target: { to: '/register' },
    },
    {
      id: 'act install',
      title: 'Install devices on site',
      words: 'phone scan photo place',
      needs: 'manage_devices',
      target: { to: '/install' },
    },
    {
      id: 'act import',
      title: 'Import devices from CSV',
      words: 'bulk file',
      needs: 'manage_devices',
      target: { to: '/import' },
    },
    {
      id: 'act connect',
      title: 'Connect a network',
      words: 'account',
      needs: 'manage_account',
      target: { to: '/networks' },
    },
    theme('light', 'Theme: light'),
    theme('dark', 'Theme: dark'),
    theme('auto', 'Theme: as the system'),
    { id: 'act logout', title: 'Log out', words: 'sign out end session', act: does.logOut },
  ]
}

/** Whether each word of the search begins a word of the entry. */
export function isFound(entry: Entry, text: string): boolean {
  const known = wordsOf(`${entry.title} ${entry.detail ?? ''} ${entry.words ?? ''}`)
  return wordsOf(text).every((word) => known.some((each) => each.startsWith(word)))
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s:/]+/)
    .filter((word) => word !== '')
}
