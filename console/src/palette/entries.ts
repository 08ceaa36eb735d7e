import { t } from '../languages/text.ts'
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
  { id: 'page /', title: t('Overview'), words: 'home start', target: { to: '/' } },
  {
    id: 'page /start',
    title: t('First steps'),
    words: 'wizard begin set up take over migrate',
    target: { to: '/start' },
  },
  {
    id: 'page /devices',
    title: t('Devices'),
    words: 'sensors fleet list',
    target: { to: '/devices' },
  },
  {
    id: 'page silent',
    title: t('Silent devices'),
    detail: t('not heard for longer than usual'),
    words: 'offline lost last seen',
    target: { to: '/devices', search: { verdict: 'silent', sort: 'last_seen' } },
  },
  {
    id: 'page battery',
    title: t('Devices with a low battery'),
    words: 'power',
    target: { to: '/devices', search: { low_battery: 'yes', sort: 'battery' } },
  },
  {
    id: 'page /dashboards',
    title: t('Dashboards'),
    words: 'charts widgets readings',
    target: { to: '/dashboards' },
  },
  {
    id: 'page /explore',
    title: t('Explore'),
    words: 'chart compare measurements',
    target: { to: '/explore' },
  },
  {
    id: 'page /alerts',
    title: t('Alerts'),
    words: 'alarm silent offline battery tamper threshold',
    target: { to: '/alerts' },
  },
  {
    id: 'page /alerts/rules',
    title: t('Alert rules'),
    words: 'alarm notify mail',
    target: { to: '/alerts/rules' },
  },
  {
    id: 'page /alerts/channels',
    title: t('Alert channels'),
    words: 'notifications mail slack teams telegram pagerduty ntfy sms',
    target: { to: '/alerts/channels' },
  },
  { id: 'page /uplinks', title: t('Uplinks'), words: 'live messages', target: { to: '/uplinks' } },
  { id: 'page /gateways', title: t('Gateways'), target: { to: '/gateways' } },
  { id: 'page /groups', title: t('Groups'), words: 'tree', target: { to: '/groups' } },
  { id: 'page /networks', title: t('Networks'), words: 'accounts', target: { to: '/networks' } },
  {
    id: 'page /device-types',
    title: t('Device types'),
    words: 'codec decoder sensor',
    target: { to: '/device-types' },
  },
  {
    id: 'page /device-types/catalogues',
    title: t('Device catalogues'),
    words: 'brand vendor model profiles repository git',
    target: { to: '/device-types/catalogues' },
  },
  { id: 'page /jobs', title: t('Jobs'), words: 'bulk work progress', target: { to: '/jobs' } },
  {
    id: 'page /activity',
    title: t('Activity'),
    words: 'audit log changes',
    target: { to: '/activity' },
  },
  { id: 'page /billing', title: t('Billing'), words: 'quota plan', target: { to: '/billing' } },
  { id: 'page /api', title: t('API reference'), words: 'token curl', target: { to: '/api' } },
  {
    id: 'page /settings/api-keys',
    title: t('API keys'),
    words: 'token program integration secret rotate',
    target: { to: '/settings/api-keys' },
  },
  {
    id: 'page /settings/webhooks',
    title: t('Webhooks'),
    words: 'push integration http post receiver secret',
    target: { to: '/settings/webhooks' },
  },
  {
    id: 'page /settings',
    title: t('Settings'),
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
      title: t('Register a device'),
      words: 'add new',
      needs: 'manage_devices',
      target: { to: '/register' },
    },
    {
      id: 'act install',
      title: t('Install devices on site'),
      words: 'phone scan photo place',
      needs: 'manage_devices',
      target: { to: '/install' },
    },
    {
      id: 'act import',
      title: t('Import devices from CSV'),
      words: 'bulk file',
      needs: 'manage_devices',
      target: { to: '/import' },
    },
    {
      id: 'act connect',
      title: t('Connect a network'),
      words: 'account',
      needs: 'manage_account',
      target: { to: '/networks' },
    },
    theme('light', t('Theme: light')),
    theme('dark', t('Theme: dark')),
    theme('auto', t('Theme: as the system')),
    { id: 'act logout', title: t('Log out'), words: 'sign out end session', act: does.logOut },
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
