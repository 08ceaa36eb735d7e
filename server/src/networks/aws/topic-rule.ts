// Rules of AWS IoT Core whose `http` action posts to a callback: AWS IoT API reference,
// CreateTopicRule, and developer guide, "HTTP (rule action)".
import {
  type Action,
  CreateTopicRuleCommand,
  DeleteTopicRuleCommand,
  GetTopicRuleCommand,
  type IoTClient,
  ReplaceTopicRuleCommand,
  type TopicRule,
} from '@aws-sdk/client-iot'
import type { Callback, CallbackState } from '../network.ts'
import { isMissing } from '../rest.ts'
import { RefusedByAws } from './errors.ts'

/** Marks a rule that this service made. */
const description = 'Posts what devices send to the callback of the fleet console.'
/** The version in which AWS documents its SQL. */
const sqlVersion = '2016-03-23'

/**
 * Adds our action to the rule and keeps its other actions; creates the rule if there is none.
 */
export async function enterAction(
  iot: IoTClient,
  { ruleName, sql }: { ruleName: string; sql: string },
  callback: Callback,
): Promise<void> {
  const rule = await readRule(iot, ruleName)
  if (!rule) {
    const actions = [toAction(callback)]
    const topicRulePayload = { sql, description, actions, awsIotSqlVersion: sqlVersion }
    await iot.send(new CreateTopicRuleCommand({ ruleName, topicRulePayload }))
    return
  }
  const whole = fix(rule, sql)
  const isSet = rule.actions?.some((action) => isSame(action, callback))
  if (isSet && whole === rule) return
  await replaceActions(iot, ruleName, whole, [...othersOf(rule, callback), toAction(callback)])
}

/** Reads what became of the action that `enterAction` added. */
export async function readAction(
  iot: IoTClient,
  { ruleName, sql }: { ruleName: string; sql: string },
  callback: Callback,
): Promise<CallbackState> {
  const rule = await readRule(iot, ruleName)
  const ours = rule?.actions?.filter(({ http }) => http?.url === callback.url) ?? []
  if (!rule || ours.length === 0) {
    const words = `The rule ${ruleName} of AWS IoT does not send to the callback.`
    return { state: 'missing', words }
  }
  if (fix(rule, sql) !== rule || !ours.some((action) => isSame(action, callback))) {
    return { state: 'changed', words: `The rule ${ruleName} was changed at AWS IoT.` }
  }
  // A rule of somebody else is for its owner to switch on.
  const words = rule.ruleDisabled ? `The rule ${ruleName} of AWS IoT is disabled.` : ''
  return { state: 'set', words }
}

/** Corrects a rule of our own; returns the same object if nothing is wrong. */
function fix(rule: TopicRule, sql: string): TopicRule {
  if (rule.description !== description) return rule
  if (rule.sql === sql && rule.ruleDisabled !== true) return rule
  return { ...rule, sql, ruleDisabled: false }
}

/** Removes our action, and the rule when it is our own and has no other action. */
export async function withdrawAction(
  iot: IoTClient,
  ruleName: string,
  callback: Callback,
): Promise<void> {
  const rule = await readRule(iot, ruleName)
  if (!rule) return
  const others = othersOf(rule, callback)
  if (others.length === rule.actions?.length) return
  if (others.length > 0 || rule.description !== description) {
    return replaceActions(iot, ruleName, rule, others)
  }
  await iot.send(new DeleteTopicRuleCommand({ ruleName }))
}

/**
 * Undefined if there is none. AWS IoT gives the same answer to a lack of permission
 * (UnauthorizedException, "Access to topic rule '…' was denied"). A call that changes the rule
 * distinguishes the two.
 */
async function readRule(iot: IoTClient, ruleName: string): Promise<TopicRule | undefined> {
  try {
    return (await iot.send(new GetTopicRuleCommand({ ruleName }))).rule
  } catch (error) {
    const isHidden = error instanceof RefusedByAws && error.code === 'UnauthorizedException'
    if (isHidden || isMissing(error)) return undefined
    throw error
  }
}

/** Leaves everything else in the rule as its owner wrote it. */
async function replaceActions(
  iot: IoTClient,
  ruleName: string,
  { sql, description: words, ruleDisabled, awsIotSqlVersion, errorAction }: TopicRule,
  actions: Action[],
): Promise<void> {
  const topicRulePayload = {
    sql: sql ?? '',
    actions,
    ...(words === undefined ? {} : { description: words }),
    ...(ruleDisabled === undefined ? {} : { ruleDisabled }),
    ...(awsIotSqlVersion === undefined ? {} : { awsIotSqlVersion }),
    ...(errorAction === undefined ? {} : { errorAction }),
  }
  await iot.send(new ReplaceTopicRuleCommand({ ruleName, topicRulePayload }))
}

function toAction({ url, header, value }: Callback): Action {
  return { http: { url, confirmationUrl: url, headers: [{ key: header, value }] } }
}

function isSame({ http }: Action, { url, header, value }: Callback): boolean {
  const isSent = http?.headers?.some((one) => one.key === header && one.value === value)
  return http?.url === url && isSent === true
}

function othersOf({ actions }: TopicRule, { url }: Callback): Action[] {
  return actions?.filter(({ http }) => http?.url !== url) ?? []
}
