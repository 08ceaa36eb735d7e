import { basePath } from '../../../api/client.ts'
import { t } from '../../../languages/text.ts'

/** Why this browser cannot show alerts; undefined where it can. */
export function pushBar(): string | undefined {
  if (!window.isSecureContext) return t('Browsers show messages only of addresses with https.')
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return t(
      'This browser cannot show messages of a page. On an iPhone or iPad, add the console to the home screen and open it there.',
    )
  }
  if (Notification.permission === 'denied') {
    return t(
      'This browser does not allow messages of the console. Its settings for this site can change that.',
    )
  }
  return undefined
}

/** Asks the user for permission, and subscribes the browser. Only after a click. */
export async function subscribe(publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error(t('Messages were not allowed.'))
  }
  await navigator.serviceWorker.register(`${basePath}/service-worker.js`, { scope: `${basePath}/` })
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const subscription = await pushManager.subscribe(options)
  const { endpoint, keys } = subscription.toJSON()
  return {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
    name: browserName(),
  }
}

const browsers = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'] as const

/** "Chrome on Android", by which the user knows it again. */
function browserName(): string {
  const { userAgent } = navigator
  const [, browser] = browsers.find(([mark]) => userAgent.includes(mark)) ?? ['', t('Browser')]
  const system = systems.find((name) => userAgent.includes(name))
  return system === undefined ? browser : t('{browser} on {system}', { browser, system })
}
