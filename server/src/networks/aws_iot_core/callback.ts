import { createHash } from 'node:crypto'
import { enterDestination, readDestination, withdrawDestination } from '../aws/rule-destination.ts'
import { enterAction, readAction, withdrawAction } from '../aws/topic-rule.ts'
import type { Callback, CallbackState } from '../network.ts'
import type { Session } from './client.ts'

/**
 * Makes a rule that posts what devices publish, with the topic and the time. An account that
 * fetches its messages from the broker has no rule: each message would be stored twice.
 */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const { iot, account } = session
  if (account.isSubscribed) return removeCallback(session, callback)
  await enterDestination(iot, callback.url)
  await enterAction(iot, ruleOf(session, callback), callback)
}

export async function readCallback(session: Session, callback: Callback): Promise<CallbackState> {
  const { iot, account } = session
  if (account.isSubscribed) return { state: 'unused', words: '' }
  const action = await readAction(iot, ruleOf(session, callback), callback)
  if (action.state !== 'set') return action
  return (await readDestination(iot, callback.url)) ?? action
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  await withdrawAction(session.iot, ruleOf(session, callback).ruleName, callback)
  await withdrawDestination(session.iot, callback.url)
}

/** Each prefix has a rule of its own. */
function ruleOf({ account: { topicPrefix } }: Session, { url }: Callback) {
  const hash = createHash('sha256').update(`${url} ${topicPrefix}`).digest('hex')
  const sql = `SELECT *, topic() AS topic, timestamp() AS timestamp FROM '${topicPrefix}/+/up'`
  return { ruleName: `fleet_console_${hash.slice(0, 16)}`, sql }
}
