import type { Queryable } from '../../../db/connect.ts'
import type { NewDownlink } from '../../downlinks/downlink-history-queries.ts'
import { recordedOnly } from '../../downlinks/downlink-services.ts'
import { createDownlinks, mostWaiting } from '../../downlinks/ledger.ts'
import * as actionQueries from './action-queries.ts'
import type { RuleAction } from './rule-actions.ts'
import type { StoredRule } from './rule-queries.ts'

/** An action of a rule about an alert that has just opened or closed. */
interface Task {
  rule: StoredRule
  alert: actionQueries.ChangedAlert
  action: RuleAction
  place: number
}

type Outcome = Pick<actionQueries.DoneAction, 'state' | 'message' | 'downlink_id'>

const done: Outcome = { state: 'done', message: null, downlink_id: null }
const failed = (message: string): Outcome => ({ state: 'failed', message, downlink_id: null })

/**
 * Does what the rules say about the alerts that this transaction has opened or closed: once each, and no more
 * in an hour than the rule allows. Nothing that is done opens an alert by itself, so rules never call
 * each other. Returns how many downlinks wait to be handed over.
 */
export async function act(
  tx: Queryable,
  organizationId: number,
  rules: readonly StoredRule[],
  now: Date,
): Promise<number> {
  const acting = rules.filter(({ actions }) => actions.length > 0)
  if (acting.length === 0) return 0
  const ids = acting.map(({ id }) => id)
  const alerts = await actionQueries.listChanged(tx, organizationId, ids, now)
  if (alerts.length === 0) return 0
  const used = await actionQueries.countUsed(tx, organizationId, ids, now)
  const tasks: Task[] = []
  const results: actionQueries.DoneAction[] = []
  for (const { rule, alert, action, place } of tasksOf(acting, alerts)) {
    const count = used.get(rule.id) ?? 0
    if (count >= rule.actions_per_hour) {
      const limited = { state: 'limited', message: null, downlink_id: null } as const
      results.push(toRow({ rule, alert, action, place }, limited))
    } else {
      used.set(rule.id, count + 1)
      tasks.push({ rule, alert, action, place })
    }
  }
  const sent = await sendDownlinks(tx, organizationId, tasks, now)
  for (const task of tasks) {
    results.push(toRow(task, sent.get(task) ?? (await callWebhook(tx, organizationId, task, now))))
  }
  await actionQueries.insert(tx, organizationId, { actions: results, now })
  return results.filter(({ downlink_id }) => downlink_id !== null).length
}

function tasksOf(
  rules: readonly StoredRule[],
  alerts: readonly actionQueries.ChangedAlert[],
): Task[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  return alerts.flatMap((alert) => {
    const rule = byId.get(alert.rule_id)
    return (rule?.actions ?? []).flatMap((action, place) =>
      rule && action.at === alert.at ? [{ rule, alert, action, place }] : [],
    )
  })
}

function toRow({ rule, alert, action, place }: Task, outcome: Outcome): actionQueries.DoneAction {
  const { id: alert_id, at } = alert
  return { alert_id, at, place, rule_id: rule.id, type: action.type, ...outcome }
}

/** Through the ledger, as any other downlink. The queues are locked in the order of their devices. */
async function sendDownlinks(
  tx: Queryable,
  organizationId: number,
  tasks: readonly Task[],
  now: Date,
): Promise<Map<Task, Outcome>> {
  const outcomes = new Map<Task, Outcome>()
  const downlinks: (NewDownlink & { task: Task })[] = []
  for (const task of tasks) {
    const { rule, alert, action } = task
    if (action.type !== 'downlink') continue
    const deviceId = action.device ?? alert.device_id
    if (deviceId === null || rule.actions_by === null) {
      outcomes.set(task, failed('The alert is about a gateway.'))
      continue
    }
    const payload = Uint8Array.fromHex(action.payload)
    const message = { section: 'raw', fieldValues: {}, payload, fPort: action.f_port } as const
    downlinks.push({ task, deviceId, userId: rule.actions_by, ...message })
  }
  const recorded = await actionQueries.listRecordedOnly(
    ...([tx, organizationId, downlinks.map(({ deviceId }) => deviceId)] as const),
  )
  for (const { task, deviceId } of downlinks) {
    if (recorded.has(deviceId)) outcomes.set(task, failed(recordedOnly))
  }
  const sending = downlinks
    .filter(({ deviceId }) => !recorded.has(deviceId))
    .sort((one, other) => one.deviceId - other.deviceId)
  if (sending.length === 0) return outcomes
  const created = await createDownlinks(tx, organizationId, sending, now)
  for (const [index, { task }] of sending.entries()) {
    const creation = created[index] ?? 'device_gone'
    outcomes.set(task, toOutcome(creation))
  }
  return outcomes
}

function toOutcome(creation: Awaited<ReturnType<typeof createDownlinks>>[number]): Outcome {
  if (creation === 'device_gone') return failed('The device is gone.')
  if (creation === 'too_many') return failed(`The device has ${mostWaiting} messages waiting.`)
  return { ...done, downlink_id: creation.id }
}

async function callWebhook(
  tx: Queryable,
  organizationId: number,
  { alert, action }: Task,
  now: Date,
): Promise<Outcome> {
  if (action.type !== 'webhook') return failed('It cannot be done.')
  const isThere = await actionQueries.queueForWebhook(tx, organizationId, {
    ...{ alert: alert.id, at: alert.at, webhook: action.webhook, now },
  })
  return isThere ? done : failed('The webhook is gone.')
}
