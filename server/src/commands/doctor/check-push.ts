import type { Database } from '../../db/connect.ts'
import type { Sealer } from '../../db/seal.ts'
import { sealContext } from '../../db/secret-keys.ts'
import { findKeys } from '../../features/outgoing/channels/push-queries.ts'
import { createOutside } from '../../networks/outside.ts'
import { callOnce } from './call.ts'
import { listBrowsers } from './doctor-queries.ts'
import {
  type DoctorSettings,
  type Finding,
  ok,
  problem,
  reasonOf,
  skipped,
  warning,
} from './finding.ts'

const mostBrowsers = 200
const mostServices = 5

/** The keys of push messages, and the services of the browsers that are subscribed. */
export async function checkPush(
  db: Database,
  { outbound, publicUrl }: DoctorSettings,
  sealer: Sealer,
): Promise<Finding[]> {
  const check = 'push.keys'
  const keys = await findKeys(db)
  if (!keys) return [skipped(check, 'There are no keys for push messages before the first start.')]
  try {
    sealer.open(keys.sealed_private_key, sealContext('pushKey', 1))
  } catch (error) {
    const advice = 'Give the service the key that it had (SECRET_KEY or secret.key).'
    return [problem(check, `The key for push messages cannot be read: ${reasonOf(error)}.`, advice)]
  }
  const found = [ok(check, 'The keys for push messages are there.')]
  const browsers = await listBrowsers(db, mostBrowsers)
  if (browsers.length === 0)
    return [...found, skipped('push.services', 'No browser is subscribed.')]
  if (!publicUrl.startsWith('https:')) {
    found.push(
      warning(
        'push.address',
        'Browsers take push messages only from a console with https://.',
        'Put a reverse proxy with a certificate in front, and set PUBLIC_URL.',
      ),
    )
  }
  const origins = new Set(
    browsers.flatMap(({ id, sealed_subscription }) => {
      try {
        const opened = sealer.open(sealed_subscription, sealContext('pushSubscription', id))
        return [new URL(JSON.parse(opened).endpoint).origin]
      } catch {
        return []
      }
    }),
  )
  const outside = createOutside(outbound)
  for (const origin of [...origins].slice(0, mostServices)) {
    const { host } = new URL(origin)
    try {
      await callOnce(origin, outside, { method: 'HEAD' })
      found.push(ok('push.services', `${host} is reached.`))
    } catch (error) {
      found.push(
        problem(
          'push.services',
          `${host} is not reached: ${reasonOf(error)}.`,
          'Let this machine call it on port 443.',
        ),
      )
    }
  }
  return found
}
