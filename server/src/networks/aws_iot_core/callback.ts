import { createHash } from 'node:crypto'
import { enterDestination, withdrawDestination } from '../aws/rule-destination.ts'
import { enterAction, withdrawAction } from '../aws/topic-rule.ts'
import type { Callback } from '../network.ts'
import type { Session } from './session.ts'

/**
 * Makes a rule that posts what devices publish, completed with the topic and the time. An account
 * that fetches its messages from the broker has none: each would be stored twice.
 */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const { iot, account } = session
  if (account.isSubscribed) return removeCallback(session, callback)
  const sql = `SELECT *, topic() AS topic, timestamp() AS timestamp FROM '${account.topicPrefix}/+/up'`
  await enterDestination(iot, callback.url)
  await enterAction(iot, { ruleName: nameRule(session, callback), sql }, callback)
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  await withdrawAction(session.iot, nameRule(session, callback), callback)
  await withdrawDestination(session.iot, callback.url)
}

/** With another prefix it is another rule. */
function nameRule({ account }: Session, { url }: Callback): string {
  const hash = createHash('sha256').update(`${url} ${account.topicPrefix}`).digest('hex')
  return `fleet_console_${hash.slice(0, 16)}`
}
