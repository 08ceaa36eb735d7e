import type { Queryable } from '../../db/connect.ts'
import type { Caller } from '../../http/endpoint.ts'
import { normalizeEui } from '../../lora/eui.ts'
import { EuiTakenMeanwhile, transactBatch } from '../batches/batch-transaction.ts'
import { allotIds } from '../batches/id-queries.ts'
import type { BillingServices } from '../billing/billing-provider.ts'
import { findUnpaid } from '../billing/registration-payment.ts'
import { findMissing } from '../device-types/device-type-queries.ts'
import { cancelWaiting } from '../downlinks/ledger.ts'
import * as groupQueries from '../groups/group-queries.ts'
import { setGroups } from '../groups/grouped-device-queries.ts'
import { findHindrances, noteHindrances } from '../provisioning/hindrances.ts'
import { type Call, enqueueAll, withdrawAll } from '../provisioning/outbox-batch-queries.ts'
import type { BatchCreation, BatchItem } from './batch-items.ts'
import {
  type Addition,
  type BatchEntry,
  type BatchPlan,
  placeOf,
  planBatch,
  type World,
} from './batch-plan.ts'
import * as batchQueries from './device-write-queries.ts'
import { deviceKeyContext } from './registration.ts'

type Dependencies = Pick<BillingServices, 'db' | 'sealer' | 'billing'>

/** Does all that can be done of a batch, in one transaction, and answers each item. */
export async function runBatch(
  services: Dependencies,
  caller: Caller,
  items: readonly BatchItem[],
  now: Date,
): Promise<BatchEntry[]> {
  return transactBatch(services.db, async (tx) => {
    const world = await readWorld(tx, services, caller, { items, now })
    const plan = planBatch(items, world)
    await carryOut(tx, services, caller, { plan, now })
    return plan.entries
  })
}

async function readWorld(
  tx: Queryable,
  { billing }: Dependencies,
  { organizationId, permissions }: Caller,
  { items, now }: { items: readonly BatchItem[]; now: Date },
): Promise<World> {
  const euis = items.flatMap((item) => (item.action === 'none' ? [] : item.eui))
  const creations = items.filter((item) => item.action === 'create')
  const networks = creations.map(({ registration }) => registration.network.key)
  const typeIds = creations.map(({ registration }) => registration.typeId)
  const mentionsGroups = items.some((item) => item.action === 'update' && item.groups)
  const mayGroup = permissions.includes('manage_groups')
  return {
    // First, since it is also the lock: only then does the rest stay as it is.
    remaining: await batchQueries.lockRemaining(tx, organizationId),
    devices: await batchQueries.findByEuis(tx, organizationId, euis),
    vendorDevices: await readVendorDevices(tx, organizationId, creations),
    groups: mentionsGroups && mayGroup ? await lockGroups(tx, organizationId) : undefined,
    missingTypes: await findMissing(tx, organizationId, typeIds),
    unpaid: await findUnpaid(tx, billing, organizationId, networks, now),
    hindranceOf: await findHindrances(tx, organizationId),
  }
}

async function readVendorDevices(
  tx: Queryable,
  organizationId: number,
  creations: readonly BatchCreation[],
): Promise<Set<string>> {
  const places = creations.flatMap(({ eui, registration: { network, registerMethod } }) =>
    registerMethod === 'vendor' ? { network: network.key, eui } : [],
  )
  if (places.length === 0) return new Set()
  const found = await batchQueries.findVendorDevices(tx, organizationId, places)
  return new Set(found.map(placeOf))
}

/** Nobody else changes a group or its devices until the end of the transaction. */
async function lockGroups(tx: Queryable, organizationId: number): Promise<Set<number>> {
  await groupQueries.lockTrees(tx, organizationId)
  return new Set(await groupQueries.lockAll(tx, organizationId))
}

async function carryOut(
  tx: Queryable,
  services: Dependencies,
  { organizationId, userId }: Caller,
  { plan, now }: { plan: BatchPlan; now: Date },
): Promise<void> {
  const { additions, renames, removals } = plan
  const regroupings = [...plan.regroupings]
  const calls: Call[] = []
  if (renames.length > 0) {
    const names = renames.map(({ device, name }) => ({ id: device.id, name }))
    await batchQueries.renameAll(tx, organizationId, names, now)
    calls.push(...callsAfterRenames(plan))
  }
  if (removals.length > 0) {
    const ids = removals.map(({ id }) => id)
    await batchQueries.markAllDeleted(tx, organizationId, ids, now)
    await cancelWaiting(tx, organizationId, ids)
    const unheardOf = await withdrawAll(tx, organizationId, { kind: 'device', ids }, now)
    const known = removals.filter((device) => !device.is_console_only && !unheardOf.has(device.id))
    calls.push(...known.map((device) => ({ ...device, action: 'remove' as const })))
  }
  if (additions.length > 0) {
    const ids = await insertDevices(tx, services, { organizationId, userId }, { additions, now })
    const added = callsAfterAdditions(additions, ids)
    calls.push(...added)
    await noteHindrances(tx, organizationId, added)
    regroupings.push(
      ...additions.flatMap(({ groups }, index) =>
        groups.length > 0 ? { deviceId: ids[index] ?? 0, groups } : [],
      ),
    )
  }
  if (regroupings.length > 0) await setGroups(tx, organizationId, regroupings, now)
  await enqueueAll(tx, organizationId, calls, now)
  const change = additions.length - removals.length
  if (change !== 0) await batchQueries.changeCount(tx, organizationId, change)
}

async function insertDevices(
  tx: Queryable,
  { sealer }: Dependencies,
  { organizationId, userId }: Pick<Caller, 'organizationId' | 'userId'>,
  { additions, now }: { additions: readonly Addition[]; now: Date },
): Promise<number[]> {
  const ids = await allotIds(tx, 'devices', additions.length)
  const devices = additions.map((addition, index) => {
    const { deviceKey, network, ...registration } = addition.registration
    const id = ids[index] ?? 0
    const sealedKey = sealer.seal(deviceKey, deviceKeyContext(id))
    const registerStatus = registration.isConsoleOnly ? ('active' as const) : ('pending' as const)
    return { ...registration, id, network: network.key, registerStatus, sealedKey }
  })
  const inserted = await batchQueries.insertAll(tx, organizationId, devices, { userId, now })
  if (inserted < devices.length) throw new EuiTakenMeanwhile()
  return ids
}

/** A device that the network refused is offered to it again under its new name. */
function callsAfterRenames({ renames }: BatchPlan): Call[] {
  return renames.flatMap(({ device }) => {
    if (device.is_console_only) return []
    return { ...device, action: device.register_status === 'register_error' ? 'add' : 'rename' }
  })
}

function callsAfterAdditions(additions: readonly Addition[], ids: readonly number[]): Call[] {
  return additions.flatMap(({ registration }, index) => {
    if (registration.isConsoleOnly) return []
    return {
      kind: 'device',
      id: ids[index] ?? 0,
      eui: normalizeEui(registration.deviceEui),
      network: registration.network.key,
      register_method: registration.registerMethod,
      action: 'add',
    }
  })
}
