import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { bodyLimits, type Caller } from '../../http/endpoint.ts'
import { warningsField } from '../../http/unknown-members.ts'
import { batchItems } from '../batches/batch-request.ts'
import { EuiTakenMeanwhile, transactBatch } from '../batches/batch-transaction.ts'
import { findUnpaid } from '../billing/registration-payment.ts'
import { endpoint } from '../core-services.ts'
import { findMissing } from '../device-types/device-type-queries.ts'
import { announce } from '../events/announce.ts'
import * as groupQueries from '../groups/group-queries.ts'
import { findNetworksOf } from '../inventory/gateway-queries.ts'
import { lockRemaining } from '../inventory/quota-queries.ts'
import { findHindrances } from '../provisioning/hindrances.ts'
import {
  type BatchCreation,
  type BatchItem,
  itemVariants,
  namedGateways,
  readItem,
} from './batch-items.ts'
import { type BatchEntry, planBatch, vendorPlaceOf, type World } from './batch-plan.ts'
import { findByEuis, findVendorDevices } from './device-write-queries.ts'
import { changeDevices, insertDevices, removeDevices } from './device-writes.ts'
import type { RegistrationServices } from './registration.ts'

type Dependencies = Pick<RegistrationServices, 'db' | 'sealer' | 'billingPlans'>

const batchEntry = z
  .object({
    status: z.boolean(),
    message: z.string(),
    /** The DevEUI; null when the item was refused. */
    deviceId: z.string().nullable(),
    errors: z.array(z.string()).optional(),
    ...warningsField,
  })
  .meta({ id: 'DeviceBatchEntry' })

/**
 * The devices exist when it answers; the networks are told afterwards, as the devices'
 * `device_register_status` shows.
 */
export const batchDevices = endpoint({
  summary: 'Create, update and delete up to 1,000 devices; one entry per item, in order',
  bodyLimit: bodyLimits.batch,
  body: z.object({ devices: batchItems('devices', itemVariants) }),
  answer: z.object({ data: z.array(batchEntry) }),
  examples: [
    {
      name: 'one of each',
      body: {
        devices: [
          {
            action: 'create',
            deviceName: 'Back door',
            deviceId: '00AA000000000002',
            provisioningData: {
              network: 'chirpstack',
              registerMethod: 'vendor',
              deviceKey: '00112233445566778899AABBCCDDEEFF',
              deviceTypeId: 16,
              joinEui: '0000000000000000',
              appRegion: 'EU868',
            },
          },
          { action: 'update', deviceId: '00AA000000000001', deviceName: 'Front door' },
          { action: 'delete', deviceId: '00AA000000000003' },
        ],
      },
      answer: {
        data: [
          { status: true, message: 'Device added successfully', deviceId: '00AA000000000002' },
          { status: true, message: 'Device updated successfully', deviceId: '00AA000000000001' },
          { status: false, message: 'device not found', deviceId: '00AA000000000003' },
        ],
      },
    },
  ],
  async handle({ body, caller }, services: RegistrationServices) {
    const { db, now } = services
    const named = namedGateways(body.devices)
    const gateways = await findNetworksOf(db, caller.organizationId, named)
    const items = body.devices.map((sent) => readItem(sent, gateways))
    const data = await runBatch(services, caller, items, now())
    services.provisioner.wake()
    announce(services, caller.organizationId, { kind: 'device' })
    return { data }
  },
})

/** Carries out the valid items of a batch in one transaction, and answers each item. */
async function runBatch(
  services: Dependencies,
  caller: Caller,
  items: readonly BatchItem[],
  now: Date,
): Promise<BatchEntry[]> {
  const { organizationId } = caller
  const { db, sealer } = services
  return transactBatch(db, async (tx) => {
    const world = await readWorld(tx, services, caller, { items, now })
    const { entries, changes, removals, additions } = planBatch(items, world)
    await changeDevices(tx, sealer, organizationId, { changes, now })
    await removeDevices(tx, organizationId, removals, now)
    const ids = await insertDevices(tx, sealer, caller, { registrations: additions, now })
    if (!ids) throw new EuiTakenMeanwhile()
    return entries
  })
}

async function readWorld(
  tx: Queryable,
  { billingPlans }: Dependencies,
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
    // First: its lock keeps everything below unchanged.
    remaining: await lockRemaining(tx, organizationId),
    devices: await findByEuis(tx, organizationId, euis),
    vendorDevices: await readVendorDevices(tx, organizationId, creations),
    groups: mentionsGroups && mayGroup ? await lockAllGroups(tx, organizationId) : undefined,
    missingTypes: await findMissing(tx, organizationId, typeIds),
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
