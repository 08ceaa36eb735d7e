import type { Queryable } from '../../db/connect.ts'
import type { Caller } from '../../http/endpoint.ts'
import { normalizeEui } from '../../lora/eui.ts'
import { EuiTakenMeanwhile, transactBatch } from '../batches/batch-transaction.ts'
import type { CoreServices } from '../core-services.ts'
import type { BatchItem } from './batch-items.ts'
import { type BatchEntry, type BatchPlan, planBatch } from './batch-plan.ts'
import { type KnownGateway, lockAll } from './gateway-change-queries.ts'
import { changeGateways, removeGateways } from './gateway-changes.ts'
import { listReasons } from './gateway-write-queries.ts'
import { insertGateways } from './gateway-writes.ts'

type Dependencies = Pick<CoreServices, 'db' | 'sealer'>

/** Does all that can be done of a batch, in one transaction, and answers each item. */
export function runBatch(
  { db, sealer }: Dependencies,
  caller: Caller,
  items: readonly BatchItem[],
  now: Date,
): Promise<BatchEntry[]> {
  return transactBatch(db, async (tx) => {
    const gateways = await lockMeant(tx, caller.organizationId, items)
    const plan = planBatch(items, gateways)
    await changeGateways(tx, caller.organizationId, plan.changes, now)
    await removeGateways(tx, caller.organizationId, plan.removals, now)
    const ids = await addGateways(tx, { sealer }, caller, { plan, now })
    const reasons = await listReasons(tx, caller.organizationId, [...ids.values()])
    return plan.entries.map((entry, position) => {
      const gatewayId = ids.get(position) ?? entry.gatewayId
      const reason = ids.has(position) ? reasons.get(gatewayId ?? 0) : undefined
      return { ...entry, gatewayId, ...(reason !== undefined && { warnings: [reason] }) }
    })
  })
}

/** Nobody else changes these until the end of the transaction. */
function lockMeant(
  tx: Queryable,
  organizationId: number,
  items: readonly BatchItem[],
): Promise<KnownGateway[]> {
  const ids = items.flatMap(({ task }) =>
    task.action === 'update' || task.action === 'delete' ? task.id : [],
  )
  const euis = items.flatMap(({ task }) =>
    task.action === 'create' ? normalizeEui(task.registration.values.gatewayEui ?? '') : [],
  )
  return lockAll(tx, organizationId, { ids, euis })
}

/** The ids of the new gateways by the positions of their items. */
async function addGateways(
  tx: Queryable,
  { sealer }: Pick<Dependencies, 'sealer'>,
  caller: Caller,
  { plan: { additions }, now }: { plan: BatchPlan; now: Date },
): Promise<Map<number, number>> {
  if (additions.size === 0) return new Map()
  const registrations = [...additions.values()]
  const ids = await insertGateways(tx, sealer, caller, { registrations, now })
  if (!ids) throw new EuiTakenMeanwhile()
  return new Map([...additions.keys()].map((position, index) => [position, ids[index] ?? 0]))
}
