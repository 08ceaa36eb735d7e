import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { changesOfBatch } from '../../http/change-record.ts'
import type { Caller } from '../../http/endpoint.ts'
import { bodyLimits } from '../../http/endpoint.ts'
import { warningsField } from '../../http/unknown-members.ts'
import { normalizeEui } from '../../lora/eui.ts'
import { batchItems } from '../batches/batch-request.ts'
import { EuiTakenMeanwhile, transactBatch } from '../batches/batch-transaction.ts'
import { endpoint } from '../core-services.ts'
import { announce } from '../events/announce.ts'
import type { ProvisioningServices } from '../provisioning/provisioner.ts'
import { type BatchItem, itemVariants, readItem } from './batch-items.ts'
import { type BatchEntry, type BatchPlan, planBatch } from './batch-plan.ts'
import { listReasons, lockAll, type RegisteredGateway } from './gateway-write-queries.ts'
import { changeGateways, insertGateways, removeGateways } from './gateway-writes.ts'

const batchEntry = z
  .object({
    status: z.boolean(),
    message: z.string(),
    /** Of a creation: the EUI as it was sent. */
    gatewayEui: z.string().optional(),
    /** Null when the item was refused. */
    gatewayId: z.int().nullable(),
    action: z.string(),
    errors: z.array(z.string()).optional(),
    ...warningsField,
  })
  .meta({ id: 'GatewayBatchEntry' })

/**
 * The gateways exist when it answers; the networks are told afterwards, as the gateways'
 * `register_status` shows.
 */
export const batchGateways = endpoint({
  summary: 'Create, update and delete up to 1,000 gateways; one entry per item, in order',
  bodyLimit: bodyLimits.batch,
  body: z.object({ gateways: batchItems('gateways', itemVariants) }),
  answer: z.object({ data: z.array(batchEntry) }),
  examples: [
    {
      name: 'one of each',
      body: {
        gateways: [
          {
            action: 'create',
            gatewayName: 'Roof',
            gatewayIp: '192.168.2.1',
            gatewayBridge: 'chirpstack',
            description: 'North side',
            gatewayEui: '00BB000000000002',
            appRegion: 'EU868',
          },
          { action: 'update', gatewayId: 1, gatewayName: 'Tower' },
          { action: 'delete', gatewayId: 3 },
        ],
      },
      answer: {
        data: [
          {
            status: true,
            message: 'Gateway has been created successfully.',
            gatewayEui: '00BB000000000002',
            gatewayId: 2,
            action: 'create',
          },
          {
            status: true,
            message: 'Gateway updated successfully.',
            gatewayId: 1,
            action: 'update',
          },
          { status: false, message: 'Gateway not found!', gatewayId: 3, action: 'delete' },
        ],
      },
    },
  ],
  change: changesOfBatch('gateway', 'gateways', {
    create: 'registered',
    update: 'changed',
    delete: 'deleted',
  }),
  async handle({ body, caller, record }, services: ProvisioningServices) {
    const items = body.gateways.map(readItem)
    const data = await transactBatch(services.db, async (tx) => {
      const entries = await runBatch(tx, services, caller, { items, now: services.now() })
      await record(tx, { data: entries })
      return entries
    })
    services.provisioner.wake()
    announce(services, caller.organizationId, { kind: 'gateway' })
    return { data }
  },
})

type Dependencies = Pick<ProvisioningServices, 'sealer'>

/** Carries out the valid items of a batch, and answers each item. */
async function runBatch(
  tx: Queryable,
  { sealer }: Dependencies,
  caller: Caller,
  { items, now }: { items: readonly BatchItem[]; now: Date },
): Promise<BatchEntry[]> {
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
}

/** Locks the gateways that the items name until the transaction ends. */
function lockMeant(
  tx: Queryable,
  organizationId: number,
  items: readonly BatchItem[],
): Promise<RegisteredGateway[]> {
  const ids = items.flatMap(({ task }) =>
    task.action === 'update' || task.action === 'delete' ? task.id : [],
  )
  const euis = items.flatMap(({ task }) =>
    task.action === 'create' ? normalizeEui(task.registration.values.gatewayEui ?? '') : [],
  )
  return lockAll(tx, organizationId, { ids, euis })
}

/** Returns the ids of the new gateways by the positions of their items. */
async function addGateways(
  tx: Queryable,
  { sealer }: Dependencies,
  caller: Caller,
  { plan: { additions }, now }: { plan: BatchPlan; now: Date },
): Promise<Map<number, number>> {
  if (additions.size === 0) return new Map()
  const registrations = [...additions.values()]
  const ids = await insertGateways(tx, sealer, caller, { registrations, now })
  if (!ids) throw new EuiTakenMeanwhile()
  return new Map([...additions.keys()].map((position, index) => [position, ids[index] ?? 0]))
}
