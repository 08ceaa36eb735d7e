import type { Queryable } from '../../../db/connect.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { findHindrances } from '../../accounts/provisioning/hindrances.ts'
import { findUnpaid } from '../../people/billing/registration-payment.ts'
import { EuiTakenMeanwhile } from '../batches/batches.ts'
import { lockOrFindMissing } from '../device-types/device-type-queries.ts'
import * as groupQueries from '../groups/group-queries.ts'
import { findNetworksOf } from '../inventory/gateway-queries.ts'
import { lockRemaining } from '../inventory/quota-queries.ts'
import {
  type BatchCreation,
  type BatchItem,
  type KnownThings,
  namedGateways,
  namedTypes,
} from './batch-items.ts'
import { type BatchEntry, planBatch, vendorPlaceOf, type World } from './batch-plan.ts'
import { findByEuis } from './device-write-queries.ts'
import { changeDevices, insertDevices, removeDevices } from './device-writes.ts'
import { findModels, type RegistrationServices } from './registration.ts'
import { findVendorDevices } from './taken-device-queries.ts'

type Dependencies = Pick<RegistrationServices, 'sealer' | 'billingPlans'>

/** Whose batch it is. */
type Sender = Pick<Caller, 'organizationId' | 'userId' | 'permissions'>

interface Batch {
  items: readonly BatchItem[]
  now: Date
  /** Only answers, and writes nothing. */
  isDryRun?: boolean
  /** Devices of the quota that earlier parts of a dry run would take. */
  alreadyPlanned?: number
}

/** Reads what the items name: gateways, and the models of device types. */
export async function readKnown(
  db: Queryable,
  organizationId: number,
  sent: readonly unknown[],
): Promise<KnownThings> {
  const [gateways, models] = await Promise.all([
    findNetworksOf(db, organizationId, namedGateways(sent)),
    findModels(db, organizationId, namedTypes(sent)),
  ])
  return { gateways, models }
}

/**
 * Carries out the valid items of a batch, and answers each item. Runs within `transactBatch`, which
 * begins again when another request took an EUI meanwhile.
 */
export async function runBatch(
  tx: Queryable,
  services: Dependencies,
  sender: Sender,
  { items, now, isDryRun = false, alreadyPlanned = 0 }: Batch,
): Promise<BatchEntry[]> {
  const { organizationId } = sender
  const { sealer } = services
  const world = await readWorld(tx, services, sender, { items, now })
  const remaining = world.remaining - alreadyPlanned
  const { entries, changes, removals, additions } = planBatch(items, { ...world, remaining })
  if (isDryRun) return entries
  await changeDevices(tx, sealer, organizationId, { changes, now })
  await removeDevices(tx, organizationId, removals, now)
  const ids = await insertDevices(tx, sealer, sender, { registrations: additions, now })
  if (!ids) throw new EuiTakenMeanwhile()
  return entries
}

async function readWorld(
  tx: Queryable,
  { billingPlans }: Dependencies,
  { organizationId, permissions }: Sender,
  { items, now }: { items: readonly BatchItem[]; now: Date },
): Promise<World> {
  const euis = items.flatMap((item) => (item.action === 'none' ? [] : item.eui))
  const creations = items.filter((item) => item.action === 'create')
  const networks = creations.map(({ registration }) => registration.network.key)
  const typeIds = creations.map(({ registration }) => registration.typeId)
  const mentionsGroups = items.some((item) => item.action === 'update' && item.groups)
  const mayGroup = permissions.includes('manage_groups')
  return {
    // First: its lock keeps everything below unchanged.
    remaining: await lockRemaining(tx, organizationId),
    devices: await findByEuis(tx, organizationId, euis),
    vendorDevices: await readVendorDevices(tx, organizationId, creations),
    groups: mentionsGroups && mayGroup ? await lockAllGroups(tx, organizationId) : undefined,
    missingTypes: await lockOrFindMissing(tx, organizationId, typeIds),
    unpaid: await findUnpaid(tx, billingPlans, organizationId, networks, now),
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
  const found = await findVendorDevices(tx, organizationId, places)
  return new Set(found.map(vendorPlaceOf))
}

/** Locks all groups and their devices until the transaction ends. */
async function lockAllGroups(tx: Queryable, organizationId: number): Promise<Set<number>> {
  await groupQueries.lockTrees(tx, organizationId)
  return new Set(await groupQueries.lockAll(tx, organizationId))
}
