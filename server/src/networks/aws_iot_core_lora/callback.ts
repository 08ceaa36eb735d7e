// The callback as an action of a destination's rule: AWS IoT Wireless API reference,
// CreateDestination, and developer guide, "Create rules to process LoRaWAN device messages".
import { createHash } from 'node:crypto'
import { GetDestinationCommand } from '@aws-sdk/client-iot-wireless'
import { enterDestination, readDestination, withdrawDestination } from '../aws/rule-destination.ts'
import { enterAction, readAction, withdrawAction } from '../aws/topic-rule.ts'
import type { Callback, CallbackState } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import type { Session } from './client.ts'

/**
 * Adds the callback to the actions of the destination's rule. Creates the rule if the
 * destination names one that does not exist yet.
 */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const rule = await readRule(session, callback)
  const iot = await session.openRules()
  await enterDestination(iot, callback.url)
  await enterAction(iot, rule, callback)
}

export async function readCallback(session: Session, callback: Callback): Promise<CallbackState> {
  const rule = await readRule(session, callback)
  const iot = await session.openRules()
  const action = await readAction(iot, rule, callback)
  if (action.state !== 'set') return action
  return (await readDestination(iot, callback.url)) ?? action
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  const { ruleName } = await readRule(session, callback)
  const iot = await session.openRules()
  await withdrawAction(iot, ruleName, callback)
  await withdrawDestination(iot, callback.url)
}

async function readRule({ wireless, account }: Session, { url }: Callback) {
  const query = new GetDestinationCommand({ Name: account.destination })
  const { ExpressionType, Expression = '' } = await wireless.send(query)
  // The rule of a destination needs no FROM: its messages do not pass the broker.
  if (ExpressionType === 'RuleName') return { ruleName: Expression, sql: 'SELECT *' }
  if (Expression.includes("'")) {
    throw new NetworkError('refused', 'The topic of the destination has a quotation mark in it.')
  }
  const ours = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return { ruleName: `fleet_console_${ours}`, sql: `SELECT * FROM '${Expression}'` }
}
