/**
 * Texts are loaded by area. `base` is what the first page needs; `shared` is what the other pages share;
 * each folder of pages has an area of its own. `sensors` and `reasons` are what the service says
 * (service-words.ts).
 */
export const areas = [
  ...['base', 'shared', 'login', 'activity', 'alerts', 'api', 'dashboards', 'device'],
  ...['device-types', 'devices', 'gallery', 'gateways', 'groups', 'jobs', 'networks'],
  ...['registration', 'reports', 'settings', 'uplinks', 'sensors', 'reasons'],
] as const

/** The folders and files of `src/` whose texts are in `base`: what the first page imports. */
const ofBase = [
  ...['accounts', 'api', 'condition', 'languages', 'live', 'pages/overview', 'router', 'session'],
  ...['shell', 'ui/', 'main', 'alerts/alert-subject', 'alerts/alert-words', 'charts/range'],
  ...['charts/hour-bars', 'charts/hour-scale', 'jobs/use-jobs'],
]
const ofShared = ['session/two-factor', 'session/change-password-form', 'ui/list']

/** The area of a file by its path below `src/`. */
export function areaOf(path: string): string {
  const below = (folders: readonly string[]) => folders.some((folder) => path.startsWith(folder))
  if (below(ofShared)) return 'shared'
  if (below(ofBase)) return 'base'
  return /^pages\/([^/]+)\//.exec(path)?.[1] ?? 'shared'
}
